import { type Node, parseSync, Visitor } from 'oxc-parser'

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
  return new Map([...sources].map(([file, source]) => [file, readModule(file, source, exported)]))
}

type Value = Doc & { names: string[] }

/** The declarations at the top of a module. Adds the exported ones to `exported`, in which imported names are found. */
function readModule(file: string, source: string, exported: Map<string, Doc>): Map<string, Doc> {
  const { program, module, comments } = parseSync(file, source)
  const imports = module.staticImports.flatMap(({ entries }) => entries)
  const aliases = new Map(imports.map(({ importName, localName }) => [localName.value, importName.name]))
  const declared = new Map<string, Doc>()
  const resolve = (name: string) => declared.get(name) ?? exported.get(aliases.get(name) ?? name)

  /** The text of the doc comment right above the node that begins here. */
  const commentAbove = (start: number) => {
    const above = comments.findLast(({ end }) => end <= start)
    const isAbove = above?.value.startsWith('*') === true && source.slice(above.end, start).trim() === ''
    return isAbove ? above.value.slice(1) : ''
  }
  const newValue = (comment: string, isFunction = false): Value => {
    return { comment, isFunction, text: undefined, fields: new Map(), names: [], resolve }
  }

  // The declaration or the field that is being read, below those that contain it.
  const open: Value[] = []
  const tops = new Map<Node, Value>()
  const exportedNames = new Set<string>()
  for (const statement of program.body) {
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declaration = isExported ? statement.declaration : statement
    const isFunction = declaration?.type === 'FunctionDeclaration'
    const nodes =
      declaration?.type === 'VariableDeclaration' ? declaration.declarations : isFunction ? [declaration] : []
    for (const node of nodes) {
      if (node.id?.type !== 'Identifier') continue
      const value = newValue(commentAbove(statement.start), isFunction)
      tops.set(node, value)
      declared.set(node.id.name, value)
      if (isExported) exportedNames.add(node.id.name)
    }
  }
  const enter = (node: Node) => {
    const value = tops.get(node)
    if (value !== undefined) open.push(value)
  }
  const exit = (node: Node) => {
    if (tops.has(node)) open.pop()
  }
  // Names that are no references: of fields, and of members whose whole path has been noted.
  const noted = new Set<Node>()
  const fields = new Map<Node, Value>()
  new Visitor({
    VariableDeclarator: enter,
    'VariableDeclarator:exit': exit,
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': exit,
    ObjectExpression({ properties }) {
      const owner = open.at(-1)
      for (const property of properties) {
        if (property.type !== 'Property') continue
        noted.add(property.key)
        const computed =
          property.computed && property.key.type === 'Identifier' ? resolve(property.key.name) : undefined
        const name = computed?.text ?? nameOf(property.key)
        const value = newValue(commentAbove(property.start) || (computed?.comment ?? ''))
        fields.set(property, value)
        if (owner?.fields.has(name) === false) owner.fields.set(name, value)
      }
    },
    Property(node) {
      const value = fields.get(node)
      if (value !== undefined) open.push(value)
    },
    'Property:exit'(node) {
      if (fields.has(node)) open.pop()
    },
    MemberExpression(node) {
      const path = noted.has(node) ? undefined : pathOf(node)
      if (path !== undefined) open.at(-1)?.names.push(path)
      if (path !== undefined || noted.has(node)) noted.add(node.object)
      if (!node.computed) noted.add(node.property)
    },
    Identifier(node) {
      if (!noted.has(node)) open.at(-1)?.names.push(node.name)
    },
    Literal(node) {
      const value = open.at(-1)
      if (value !== undefined && typeof node.value === 'string' && !noted.has(node)) value.text ??= node.value
    },
  }).visit(program)
  for (const name of exportedNames) {
    const value = declared.get(name)
    if (value !== undefined) exported.set(name, value)
  }
  return declared
}

function nameOf(key: Node): string {
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : ''
}

/** `list.filters` of an expression that has only names. */
function pathOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return undefined
  const object = pathOf(node.object)
  return object === undefined ? undefined : `${object}.${node.property.name}`
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
  return names.some(
    (name) => SCHEMA.test(name) && !name.startsWith('z.') && resolve(name.split('.')[0] ?? '') === undefined,
  )
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
