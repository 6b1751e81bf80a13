import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { documentsOfServers } from './openapi/documents.ts'
import { markdown, safe } from './openapi/markdown.ts'

// `node scripts/reference.ts FOLDER` writes the OpenAPI documents of both servers, and a page of each, to the folder. The
// build of the console runs it. The pages have no script, so the browser policy of the console allows them.

const [folder = ''] = process.argv.slice(2)
const styles = path.resolve(import.meta.dirname, '../apps/console/src/styles')
const SERVERS = { 'admin-api': 'Admin API', 'ai-api': 'AI API' } as const

const described = { description: z.string().default('') }
const reference = z.object({ $ref: z.string() })
const body = z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })).optional(), ...described })
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema: z.unknown(), ...described })).default([]),
  requestBody: body.optional(),
  responses: z.record(z.string(), z.union([reference, body])),
  ...described,
})
const document = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})
const schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
  required: z.array(z.string()).default([]),
  examples: z.array(z.unknown()).default([]),
  ...described,
})

mkdirSync(folder, { recursive: true })
writeFileSync(
  path.join(folder, 'reference.css'),
  ['tokens.css', 'reference.css'].map((file) => readFileSync(path.join(styles, file), 'utf8')).join('\n'),
)
for (const [name, json] of Object.entries(await documentsOfServers())) {
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(json, null, 2))
  writeFileSync(path.join(folder, `${name}.html`), pageOf(name, document.parse(json)))
}

function pageOf(server: string, { info, tags, paths, components }: z.infer<typeof document>): string {
  const calls = Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ url, method: method.toUpperCase(), ...call })),
  )
  const others = Object.entries(SERVERS).map(([name, title]) =>
    name === server ? `<strong>${title}</strong>` : `<a href="/docs/${name}.html">${title}</a>`,
  )
  const sections = tags.map((tag) => {
    const ofTag = calls.filter((call) => call.tags[0] === tag.name)
    return `<section><h2 id="${slug(tag.name)}">${safe(tag.name)}</h2>${markdown(tag.description)}${ofTag.map(callOf).join('')}</section>`
  })
  const names = Object.entries(components.schemas)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${safe(info.title)}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/reference.css">
<header>
<p><a href="/">Console</a> · ${others.join(' · ')} · <a href="/docs/${server}.json" download>OpenAPI document</a></p>
</header>
<nav aria-label="Contents"><ul>${tags.map(({ name }) => `<li><a href="#${slug(name)}">${safe(name)}</a></li>`).join('')}<li><a href="#schemas">Schemas</a></li></ul></nav>
<main>
<h1>${safe(info.title)} ${safe(info.version)}</h1>
${markdown(info.description)}
${sections.join('\n')}
<section><h2 id="schemas">Schemas</h2>${names.map(([name, part]) => schemaOf(name, part)).join('')}</section>
</main>
</html>
`
}

function callOf(call: z.infer<typeof operation> & { url: string; method: string }): string {
  const rows = call.parameters.map(({ name, in: place, schema: type, description }) => [
    `<code>${safe(name)}</code>`,
    place,
    typeOf(type),
    markdown(description),
  ])
  const answers = Object.entries(call.responses).flatMap(([status, answer]) =>
    '$ref' in answer ? [] : [[status, contentOf(answer), markdown(answer.description)]],
  )
  return `<article><h3 id="${slug(call.operationId)}">${safe(call.summary)}</h3>
<p><code>${call.method} ${safe(call.url)}</code></p>${markdown(call.description)}
${table(['Parameter', 'In', 'Type', 'Meaning'], rows)}
${call.requestBody === undefined ? '' : `<p>Body: ${contentOf(call.requestBody)}</p>`}
${table(['Status', 'Answer', 'Meaning'], answers)}</article>`
}

function contentOf({ content = {} }: z.infer<typeof body>): string {
  const [[type, part] = ['', undefined]] = Object.entries(content)
  if (part === undefined) return 'none'
  return type === 'application/json' ? typeOf(part.schema) : `<code>${safe(type)}</code>`
}

function schemaOf(name: string, part: unknown): string {
  const { description, properties = {}, required, examples } = schema.parse(part)
  const rows = fieldsOf(properties, required)
  const [example] = examples
  return `<article><h3 id="${slug(name)}">${safe(name)}</h3>${markdown(description)}
${table(['Field', 'Type', 'Meaning'], rows)}
<pre tabindex="0" aria-label="Example of ${safe(name)}">${safe(JSON.stringify(example, null, 2))}</pre></article>`
}

/** A row for each field, also of objects inside, whose fields have names such as `shown.days`. */
function fieldsOf(properties: Record<string, unknown>, required: string[], prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([field, part]) => {
    const own = schema.parse(part)
    const inside = [own, schema.parse(own.items ?? {}), ...(own.anyOf ?? []).map((one) => schema.parse(one))]
    const name = `${prefix}${field}`
    return [
      [
        `<code>${safe(name)}</code>${required.includes(field) ? '' : ' <small>optional</small>'}`,
        typeOf(part),
        markdown(own.description),
      ],
      ...inside.flatMap(({ properties: fields = {}, required: needed }) => fieldsOf(fields, needed, `${name}.`)),
    ]
  })
}

function typeOf(part: unknown): string {
  const { $ref, type, format, enum: values, items, anyOf } = schema.parse(part)
  if ($ref !== undefined) return linkTo($ref)
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ')
  if (values !== undefined) return values.map((value) => `<code>${safe(String(value))}</code>`).join(' ')
  if (type === 'array') return `list of ${typeOf(items)}`
  return safe(format ?? [type ?? 'any value'].flat().join(' or '))
}

function linkTo(ref: string): string {
  const name = ref.split('/').at(-1) ?? ''
  return `<a href="#${slug(name)}">${safe(name)}</a>`
}

function table(heads: string[], rows: string[][]): string {
  if (rows.length === 0) return ''
  const lines = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  return `<div class="table" tabindex="0"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`
}

function slug(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '-')
}
