/** For a `ref`: brings an element into view when it appears, as a message above the part of a form that is in view. */
export function scrollIntoView(element: Element | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
