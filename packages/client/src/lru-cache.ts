/** Keeps the values that were used last. */
export function createLruCache<Value>(max: number) {
  const values = new Map<string, Value>()
  const set = (name: string, value: Value): void => {
    values.delete(name)
    values.set(name, value)
    const [oldest] = values.keys()
    if (values.size > max && oldest !== undefined) values.delete(oldest)
  }
  return {
    get(name: string): Value | undefined {
      const value = values.get(name)
      if (value !== undefined) set(name, value)
      return value
    },
    set,
    delete: (name: string): boolean => values.delete(name),
  }
}
