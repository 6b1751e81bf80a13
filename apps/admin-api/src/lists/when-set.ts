/** For `$call` of a query: adds a filter by a value, if it is set. */
export function whenSet<Query, Value>(value: Value | undefined, filter: (query: Query, value: Value) => Query) {
  return (query: Query): Query => (value === undefined ? query : filter(query, value))
}
