/**
 * The row for the cursor after a change of the rows: the same row; if the row was removed, the next remaining row,
 * otherwise the previous one; on another page, the first. Undefined without rows.
 */
export function nearestRow(id: string | undefined, before: readonly string[], after: readonly string[]) {
  if (id === undefined || after.includes(id)) return id ?? after[0]
  const at = before.indexOf(id)
  const remaining = new Set(after)
  const candidates = at === -1 ? [] : [...before.slice(at), ...before.slice(0, at).toReversed()]
  return candidates.find((candidate) => remaining.has(candidate)) ?? after[0]
}
