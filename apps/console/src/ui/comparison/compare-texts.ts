import { diffArrays, diffWordsWithSpace } from 'diff'

/** A changed or unchanged part of a line. */
type Part = { text: string; isChanged: boolean; at: number }
export type Line = { number: number; parts: Part[] }
/** A line before and after; null for an added or removed line. */
export type Row =
  | { kind: 'same' | 'changed'; before: Line; after: Line }
  | { kind: 'removed'; before: Line; after: null }
  | { kind: 'added'; before: null; after: Line }

/** Timeouts of the comparison of lines and of words. Texts with little in common are shown as replaced. */
const LINES_MS = 250
const WORDS_MS = 250

/** Compares two texts by line, and changed lines by word. */
export function compareTexts(before: string, after: string): Row[] {
  const wordsUntil = performance.now() + LINES_MS + WORDS_MS
  const rows: Row[] = []
  let [beforeNumber, afterNumber] = [0, 0]
  for (const { removed, added, isSame } of changedLines(before.split('\n'), after.split('\n'))) {
    for (let n = 0; n < Math.max(removed.length, added.length); n += 1) {
      const [old, now] = [removed[n], added[n]]
      const { oldParts, newParts } = isSame ? sameParts(old ?? '') : changedParts(old, now, wordsUntil)
      const oldLine = old === undefined ? null : { number: (beforeNumber += 1), parts: oldParts }
      const newLine = now === undefined ? null : { number: (afterNumber += 1), parts: newParts }
      if (oldLine && newLine) rows.push({ kind: isSame ? 'same' : 'changed', before: oldLine, after: newLine })
      else if (oldLine) rows.push({ kind: 'removed', before: oldLine, after: null })
      else if (newLine) rows.push({ kind: 'added', before: null, after: newLine })
    }
  }
  return rows
}

type Block = { removed: string[]; added: string[]; isSame: boolean }

function changedLines(before: string[], after: string[]): Block[] {
  const changes = diffArrays(before, after, { timeout: LINES_MS })
  if (changes === undefined) return [{ removed: before, added: after, isSame: false }]
  const blocks: Block[] = []
  for (const { value, removed, added } of changes) {
    const last = blocks.at(-1)
    if (!removed && !added) blocks.push({ removed: value, added: value, isSame: true })
    // Pair removed lines with the added lines that follow.
    else if (added && last && !last.isSame && last.added.length === 0) last.added = value
    else blocks.push({ removed: removed ? value : [], added: added ? value : [], isSame: false })
  }
  return blocks
}

function sameParts(text: string) {
  const parts = placed([{ text, isChanged: false }])
  return { oldParts: parts, newParts: parts }
}

function changedParts(before: string | undefined, after: string | undefined, until: number) {
  const replaced = {
    oldParts: placed([{ text: before ?? '', isChanged: true }]),
    newParts: placed([{ text: after ?? '', isChanged: true }]),
  }
  const timeout = until - performance.now()
  if (before === undefined || after === undefined || timeout <= 0) return replaced
  const changes = diffWordsWithSpace(before, after, { timeout })
  if (changes === undefined) return replaced
  const [old, now] = [changes.filter(({ added }) => !added), changes.filter(({ removed }) => !removed)]
  return {
    oldParts: placed(old.map(({ value, removed }) => ({ text: value, isChanged: removed }))),
    newParts: placed(now.map(({ value, added }) => ({ text: value, isChanged: added }))),
  }
}

function placed(parts: Omit<Part, 'at'>[]): Part[] {
  let at = 0
  return parts.map((part) => {
    const start = at
    at += part.text.length
    return { ...part, at: start }
  })
}
