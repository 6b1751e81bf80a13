import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { documentsOfServers } from './openapi/documents.ts'
import { markdown, safe } from './openapi/markdown.ts'
import { aboutOf, type Entry, listOf, schemaOf, slug, typeOf } from './openapi/reference-schemas.ts'

// `node scripts/reference.ts FOLDER` writes the OpenAPI documents of both servers, and a page of each, to the folder. The
// build of the console runs it. The pages have no script, so the browser policy of the console allows them.

const [folder = ''] = process.argv.slice(2)
const root = path.resolve(import.meta.dirname, '..')
const SERVERS = { 'admin-api': 'Admin API', 'ai-api': 'AI API' } as const
const FONTS = ['inter', 'jetbrains-mono'] as const

const described = { description: z.string().default('') }
const content = z.record(z.string(), z.object({ schema: z.unknown() }))
const answer = z.object({
  content: content.optional(),
  headers: z.record(z.string(), z.unknown()).default({}),
  ...described,
})
const reference = z.object({ $ref: z.string() })
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().default(false),
        schema: z.unknown(),
        ...described,
      }),
    )
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.union([reference, answer])),
  ...described,
})
const credential = z.object({ name: z.string().default('Authorization: Bearer'), ...described })
const document = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    headers: z.record(z.string(), z.object(described)),
    responses: z.record(z.string(), answer),
    securitySchemes: z.record(z.string(), credential),
  }),
})
type Document = z.infer<typeof document>
type Call = z.infer<typeof operation> & { url: string; method: string }

mkdirSync(folder, { recursive: true })
const styles = ['tokens.css', 'reference.css'].map((file) => path.join(root, 'apps/console/src/styles', file))
writeFileSync(path.join(folder, 'reference.css'), styles.map((file) => readFileSync(file, 'utf8')).join('\n'))
for (const font of FONTS) {
  const file = path.join(root, `node_modules/@fontsource-variable/${font}/files/${font}-latin-wght-normal.woff2`)
  copyFileSync(file, path.join(folder, `${font}.woff2`))
}
for (const [name, json] of Object.entries(await documentsOfServers())) {
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(json, null, 2))
  writeFileSync(path.join(folder, `${name}.html`), pageOf(name, document.parse(json)))
}

function pageOf(server: string, full: Document): string {
  const { info, tags, paths, components } = full
  const calls = Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ url, method: method.toUpperCase(), ...call })),
  )
  const pages = Object.entries(SERVERS).map(
    ([name, title]) => `<a href="/docs/${name}.html"${name === server ? ' aria-current="page"' : ''}>${title}</a>`,
  )
  const parts = [...tags.map(({ name }) => name), 'Errors and headers', 'Schemas']
  const sections = tags.map((tag) => {
    const ofTag = calls.filter((call) => call.tags[0] === tag.name)
    const links = linksTo(ofTag).map((link) => `<li>${link}</li>`)
    return sectionOf(tag.name, [
      markdown(tag.description),
      `<ul>${links.join('')}</ul>`,
      ...ofTag.map((call) => callOf(call, full)),
    ])
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${safe(info.title)}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/reference.css">
<header>
<a class="skip" href="#content">Skip to the content</a>
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="24" height="24">Switchboard</a>
<nav aria-label="References">${pages.join('')}<a href="/docs/${server}.json" download>OpenAPI document</a></nav>
</header>
<nav class="contents" aria-label="Contents"><ul>${parts.map((name) => `<li><a href="#${slug(name)}">${safe(name)}</a></li>`).join('')}</ul></nav>
<main id="content" tabindex="-1">
<h1>${safe(info.title)} <small>${safe(info.version)}</small></h1>
${markdown(info.description)}
${sections.join('\n')}
${sectionOf('Errors and headers', [errorsOf(components)])}
${sectionOf(
  'Schemas',
  Object.entries(components.schemas)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, part]) => schemaOf(name, part, linksTo(calls.filter(uses(name))))),
)}
</main>
</html>
`
}

function sectionOf(title: string, parts: string[]): string {
  return `<section id="${slug(title)}"><h2>${safe(title)}</h2>${parts.join('\n')}</section>`
}

function linksTo(calls: Call[]): string[] {
  return calls.map(({ operationId, summary }) => `<a href="#${slug(operationId)}">${safe(summary)}</a>`)
}

/** Whether a call has the schema with this name in its body or in its answers. */
function uses(name: string): (call: Call) => boolean {
  return ({ requestBody, responses }) =>
    JSON.stringify([requestBody, responses]).includes(`"#/components/schemas/${name}"`)
}

function callOf(call: Call, { components }: Document): string {
  const parameters = call.parameters.map(({ name, in: place, required, schema, description }) => ({
    name,
    note: required ? place : `${place}, optional`,
    about: aboutOf(schema, description),
  }))
  const answers = Object.entries(call.responses).flatMap(([status, one]) =>
    '$ref' in one ? [] : [answerOf(status, one)],
  )
  const body = call.requestBody === undefined ? '' : `<h4>Body</h4><p>${contentOf(call.requestBody.content)}</p>`
  return `<article id="${slug(call.operationId)}"><h3>${safe(call.summary)}</h3>
<p class="call"><code><b>${call.method}</b> ${safe(call.url)}</code></p>${markdown(call.description)}
${listOf('Credentials', credentialsOf(call, components))}
${listOf('Parameters', parameters)}
${body}
${listOf('Answers', answers)}</article>`
}

/** Any one of the credentials is enough. */
function credentialsOf({ security }: Call, { securitySchemes }: Document['components']): Entry[] {
  const accepted = security.flatMap((one) => Object.keys(one)).flatMap((name) => securitySchemes[name] ?? [])
  const isOptional = security.some((one) => Object.keys(one).length === 0)
  return [...Map.groupBy(accepted, ({ name }) => name)].map(([name, ways]) => ({
    name,
    note: isOptional ? 'optional' : undefined,
    about: [markdown(ways.map(({ description }) => description).join('\n\n'))],
  }))
}

function answerOf(status: string, { content: bodies, description, headers }: z.infer<typeof answer>): Entry {
  const names = Object.keys(headers).map((name) => `<code>${safe(name)}</code>`)
  const sent = names.length === 0 ? '' : `<p class="type">Headers: ${names.join(' ')}</p>`
  return { name: status, about: [`<p class="type">${contentOf(bodies)}</p>`, markdown(description), sent] }
}

function contentOf(bodies: z.infer<typeof content> = {}): string {
  const types = Object.entries(bodies).map(([type, { schema }]) =>
    type === 'application/json' ? typeOf(schema) : `<code>${safe(type)}</code>`,
  )
  return types.length === 0 ? 'no body' : types.join(' or ')
}

/** Errors that each call may answer with, and what the headers of answers say. */
function errorsOf({ responses, headers }: Document['components']): string {
  const errors = Object.values(responses).map((one, place) => answerOf(place === 0 ? '4XX' : '5XX', one))
  const sent = Object.entries(headers).map(([name, { description }]) => ({ name, about: [markdown(description)] }))
  const lists = [listOf('Errors of every call', errors, 'h3'), listOf('Headers of answers', sent, 'h3')]
  return lists.map((list) => `<article>${list}</article>`).join('')
}
