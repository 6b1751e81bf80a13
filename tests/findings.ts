/** The findings by their checks. */
export async function resultsOf(findings: AsyncIterable<{ check: string; state: string; text: string }>) {
  const results: Record<string, string> = {}
  for await (const { check, state, text } of findings) results[check] = `${state}: ${text}`
  return results
}
