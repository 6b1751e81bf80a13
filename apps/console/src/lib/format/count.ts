import { TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'

const number = new Intl.NumberFormat('en-US')
const shortNumber = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** "1,000,000" */
export function countText(count: number): string {
  return number.format(count)
}

/** A number for the axis of a chart: "2,000", "50k", "1.2M". */
export function shortCountText(count: number): string {
  return count < 10_000 ? number.format(count) : shortNumber.format(count).replace('K', 'k')
}

/** A number with its noun: `counted(1, 'admin')` is "1 admin", `counted(3000, 'admin')` is "3,000 admins". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number.format(count)} ${count === 1 ? one : many}`
}

/** A noun in a button or in the title of a dialog: "API key" becomes "API Key". */
export function titleCase(noun: string): string {
  return noun.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

/** The total of a list: "312", or "10,000+" above the counted maximum. */
export function totalText(total: string): string {
  return number.format(Number.parseInt(total, 10)) + (total.endsWith('+') ? '+' : '')
}

/** A count that stops above the counted maximum: "312", or "10,000+". */
export function cappedText(count: number): string {
  return count > TOTAL_EXACT_MAX ? `${number.format(TOTAL_EXACT_MAX)}+` : number.format(count)
}

/** The content of a list: "312 tenants", "1 matching tenant", or "All tenants" before the count. */
export function listText(total: string | undefined, noun: string, isFiltered: boolean): string {
  const matching = isFiltered ? 'matching ' : ''
  return total === undefined
    ? `All ${matching}${noun}s`
    : `${totalText(total)} ${matching}${noun}${total === '1' ? '' : 's'}`
}

/** A size in bytes: "840 B", "2.1 kB". */
export function sizeText(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`
}
