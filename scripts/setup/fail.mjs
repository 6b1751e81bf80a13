/** Ends the process with exit code 1 after this sentence. */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
