/** Common mistakes in the value of a variable, with their remedies. */
const SLIPS: readonly (readonly [value: RegExp, remedy: string])[] = [
  [/^(["'`]).*\1$/s, 'Remove the quotation marks: here they are part of the value'],
  [/^\s+\S|\S\s+$/, 'Remove the blanks and line breaks around the value'],
  [/\$[({]?\w|\{\{[^{}]*\}\}/, 'It looks like the name of a variable that was not replaced by its value'],
  [/^[\w+.-]+:\/\/[^@]*@/, 'Remove the user and the password: this address has none'],
]

/** What is probably wrong with a refused value, as a sentence that starts with a space. Empty if nothing is obvious. */
export function likelyCause(value: string, isSecret: boolean): string {
  // Addresses of databases and mail servers have a password, and secrets may contain anything.
  const slips = isSecret ? SLIPS.slice(0, 2) : SLIPS
  const slip = slips.find(([pattern]) => pattern.test(value))
  return slip === undefined ? '' : ` ${slip[1]}.`
}
