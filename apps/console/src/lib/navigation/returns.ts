import type { RouterHistory } from '@tanstack/react-router'

let isReturn = false

/** Whether Back or Forward led to the current page. */
export function hasReturned(): boolean {
  return isReturn
}

/** Notes how the user comes to each page. Returns an unsubscribe function. */
export function watchReturns(history: RouterHistory): () => void {
  return history.subscribe(({ action }) => {
    isReturn = action.type !== 'PUSH' && action.type !== 'REPLACE'
  })
}
