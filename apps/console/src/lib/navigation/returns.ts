import type { RouterHistory } from '@tanstack/react-router'

let isReturn = false

/** Whether Back or Forward led to the current page. */
export function hasReturned(): boolean {
  return isReturn
}

/** Records how the user reaches each page. Returns an unsubscribe function. */
export function watchReturns(history: RouterHistory): () => void {
  return history.subscribe(({ action }) => {
    isReturn = action.type !== 'PUSH' && action.type !== 'REPLACE'
  })
}
