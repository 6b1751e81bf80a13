/** A declaration or a field of the contract's source. */
export type Doc = {
  /** Text of the doc comment above it. */
  comment: string
  /** Whether it is a function, whose comment does not describe a field. */
  isFunction: boolean
  /** The first text in its value: the name of a field with a computed key. */
  text: string | undefined
  /** Fields of the object literals in its value, by name. */
  fields: Map<string, Doc>
  /** Names in its value, such as `tenant` in `z.extend(tenant, …)` or `list.filters` in `...list.filters`. */
  names: readonly string[]
  /** The declaration with this name, in the same module or an imported one. */
  resolve: (name: string) => Doc | undefined
}

/** Declarations of the modules with these sources, by module and name. */
export function readDeclarations(sources: ReadonlyMap<string, string>): Map<string, Map<string, Doc>> {
  const exported = new Map<string, Doc>()
  const modules = new Map<string, Map<string, Doc>>()
  for (const [file, source] of sources) {
    const aliases = new Map([...source.matchAll(/(\w+) as (\w+)/g)].map(([, name = '', alias = '']) => [alias, name]))
    const declared = new Map<string, Doc>()
    const resolve = (name: string) => declared.get(name) ?? exported.get(aliases.get(name) ?? name)
    const parts = source.split(/^(?=(?:export|const|function|async|type|import)\b)/m)
    for (const [at, part] of parts.entries()) {
      const [head, isExported, kind, name] = /^(export )?(?:async )?(const|function) (\w+)/.exec(part) ?? []
      if (head === undefined || name === undefined) continue
      // A doc comment belongs to the declaration that follows its last line.
      const [, comment = ''] = /\/\*\*((?:(?!\*\/)[^])*)\*\/\n$/.exec(parts[at - 1] ?? '') ?? []
      const doc = readValue(part.slice(head.length), { comment, isFunction: kind === 'function', resolve })
      declared.set(name, doc)
      if (isExported !== undefined) exported.set(name, doc)
    }
    modules.set(file, declared)
  }
  return modules
}

/** The docs with this name among the fields of `docs`, and of the schemas that `docs` extend, spread or call. */
export function fieldsOf(docs: readonly Doc[], name: string): Doc[] {
  const all = new Set(docs)
  // The set grows while it is read.
  for (const doc of all) for (const other of namedIn(doc)) all.add(other)
  return [...all].flatMap((doc) => doc.fields.get(name) ?? [])
}

/** Whether the value of `doc` has a parameter of its function, the fields of which are in the calls of the function. */
export function hasParameter({ names, resolve }: Doc): boolean {
  return names.some((name) => SCHEMA.test(name) && !name.startsWith('z.') && resolve(name) === undefined)
}

/** The sentence of a field: its own comment, or the one of the constant that is its schema. */
export function sentenceOf(docs: readonly Doc[]): string | undefined {
  const comments = docs.flatMap((doc) => [
    doc.comment,
    ...namedIn(doc, SCHEMA).map(({ comment, isFunction }) => (isFunction ? '' : comment)),
  ])
  return comments.map(textOf).find((text) => text !== '')
}

/** The text of a doc comment, without its example. */
export function textOf(comment: string): string {
  const [text = ''] = linesOf(comment).split('@example ')
  return text.trim()
}

/** The value after `@example` in a doc comment. Throws when it is not JSON. */
export function exampleOf(comment: string): unknown {
  const [, example] = linesOf(comment).split('@example ')
  return example === undefined ? undefined : JSON.parse(example)
}

function linesOf(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s*/, '').trim())
    .join(' ')
}

/** Names of schemas, not of limits such as `GOAL_MAX`. */
const SCHEMA = /^[a-z]/

/** What the names in the value of `doc` stand for: a declaration, or a field of one. */
function namedIn({ names, resolve }: Doc, pattern = /./): Doc[] {
  return names
    .filter((name) => pattern.test(name))
    .flatMap((path) => {
      const [first = '', ...fields] = path.split('.').filter((step) => step !== 'shape')
      const declaration = resolve(first)
      if (declaration === undefined) return []
      return fields.reduce((docs: Doc[], field) => fieldsOf(docs, field), [declaration])
    })
}

/** Comments, literals, names with their members, and single signs. */
const TOKENS =
  /\/\*\*(?<comment>[^]*?)\*\/|\/\/.*|'(?<text>(?:\\.|[^'\\\n])*)'|`(?:\\.|[^`\\])*`|(?<=[(,=:]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*|\[(?<computed>\w+)\](?=:)|(?<name>[\w$]+(?:\.[\w$]+)*)|(?<sign>\.{3}|=>|\S)/g

type Value = Doc & { names: string[] }

function newValue(about: Pick<Doc, 'comment' | 'isFunction' | 'resolve'>): Value {
  return { ...about, text: undefined, fields: new Map(), names: [] }
}

/** Reads the fields and the names of a value. Only what Prettier-like formatting produces has to be understood. */
function readValue(source: string, about: Pick<Doc, 'comment' | 'isFunction' | 'resolve'>): Doc {
  const root: Value = newValue(about)
  // `owner` gets the fields of a pair of braces, `value` the names until the next comma.
  const open: { owner: Value; value: Value; isObject: boolean; atKey: boolean }[] = []
  let level = { owner: root, value: root, isObject: false, atKey: false }
  let comment = ''
  const tokens = [...source.matchAll(TOKENS)].map(({ groups = {} }) => groups)
  for (const [at, token] of tokens.entries()) {
    const { sign } = token
    const next = tokens[at + 1]?.['sign']
    const computed = token['computed'] === undefined ? undefined : about.resolve(token['computed'])
    const key = level.atKey ? (token['name'] ?? token['text'] ?? computed?.text) : undefined
    if (token['comment'] !== undefined) {
      comment = token['comment']
      continue
    }
    if (key !== undefined && (next === ':' || next === ',' || next === '}')) {
      level.value = newValue({
        comment: comment || (computed?.comment ?? ''),
        isFunction: false,
        resolve: about.resolve,
      })
      if (next !== ':') level.value.names.push(key)
      if (!level.owner.fields.has(key)) level.owner.fields.set(key, level.value)
      level.atKey = false
    } else if (token['name'] !== undefined) {
      level.value.names.push(token['name'])
      level.atKey = false
    } else if (token['text'] !== undefined) level.value.text ??= token['text']
    else if (sign === '{' || sign === '(' || sign === '[') {
      open.push(level)
      level = { owner: level.value, value: level.value, isObject: sign === '{', atKey: sign === '{' }
    } else if (sign === '}' || sign === ')' || sign === ']') level = open.pop() ?? level
    else if ((sign === ',' || sign === ';') && level.isObject) {
      level.value = level.owner
      level.atKey = true
    } else if (sign === '...') level.atKey = false
    comment = ''
  }
  return root
}
