let turn: Promise<void> | undefined

/**
 * Resolves when all requests of this turn of the event loop are handled. Answers written together wake the client's
 * process once; answers written one by one wake it each time, which costs as much as a key check.
 */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) =>
    setImmediate(() => {
      turn = undefined
      resolve()
    }),
  )
  return turn
}
