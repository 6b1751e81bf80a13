/** For a `ref`: scrolls a new element into view, such as an error above the visible part of a form. */
export function scrollIntoView(element: Element | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
