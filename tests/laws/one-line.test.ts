import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { AI_API_ENDPOINTS } from '@switchboard/contract/ai-api'
import { importedTenant } from '@switchboard/contract/tenants/tenant-import'
import { importedUser } from '@switchboard/contract/users/user-import'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type $ZodType, safeParse } from 'zod/v4/core'

// oxlint-disable no-underscore-dangle -- zod documents this way to inspect a schema

// A name with a line break or a changed text direction would break every list, mail and log line that shows it.

/** The texts that accept any character. Add a text only if it is never shown within a line. */
const ANY_CHARACTERS: readonly string[] = [
  // Texts of several lines.
  'api_keys.create body.description',
  'api_keys.update body.description',
  'imported tenant.goal',
  'notes.create body.text',
  'notes.update body.text',
  'prompts.preview body.template',
  'prompts.preview body.variables.goal',
  'prompts.render querystring.variables{}',
  'prompts.render querystring.variables',
  'prompts.render_with_variables body.variables{}',
  'prompts.render_with_variables body.variables',
  'prompts.save body.template',
  'tenants.create body.goal',
  'tenants.update body.goal',
  // Secrets and addresses that are only compared.
  'auth.confirm body.password',
  'auth.login body.email',
  'auth.login body.password',
  'auth.profile body.current_password',
  'keys.report body[].token',
  'keys.verify body.api_key',
  'keys.verify body.origin',
  'passwords.check body.names[]',
  'users.password body.email',
  'users.password body.password',
  'users.verify body.email',
  'users.verify body.password',
  // Parameters from an identity provider, which are checked or ignored.
  'single_sign_on.callback querystring.code',
  'single_sign_on.callback querystring.error',
  'single_sign_on.callback querystring.error_description',
  'single_sign_on.callback querystring.iss',
  'single_sign_on.callback querystring.state',
  'single_sign_on.start querystring.redirect',
  // An address that is made one line before it is stored.
  'keys.report body[].url',
  // The schema of the whole object has the rule for names.
  'prompts.preview body.declared_variables{}',
  'prompts.save body.declared_variables{}',
  'tenants.create body.custom_fields{}',
  'tenants.update body.custom_fields{}',
  // The ID or the subdomain of a tenant, which is only compared.
  'imported user.tenant_id',
]

const PROBES = ['a\nb', 'a\r\nb', 'a\u2028b', 'a\u0085b', 'a\tb', 'a\u202eb', 'a\u2067b']

/** Paths to the strings of a schema, each with its schema. */
function stringsIn(schema: $ZodType, path: string): [path: string, schema: $ZodType][] {
  const { def } = schema._zod
  const inner = Object.entries(def).flatMap(([name, part]): [string, $ZodType][] => {
    if (name === 'shape') return Object.entries(part).map(([key, each]) => [`${path}.${key}`, schemaOf(each)])
    if (name === 'options') return part.map((each: unknown) => [path, schemaOf(each)])
    if (name === 'element') return [[`${path}[]`, schemaOf(part)]]
    if (name === 'keyType') return [[`${path}{}`, schemaOf(part)]]
    return ['innerType', 'valueType', 'in'].includes(name) ? [[path, schemaOf(part)]] : []
  })
  if (def.type === 'string') return [[path, schema]]
  // The further parts change or check what the first part accepted.
  const isText = def.type === 'pipe' && inner.every(([, part]) => ['string', 'pipe'].includes(part._zod.def.type))
  return isText ? [[path, schema]] : inner.flatMap(([at, part]) => stringsIn(part, at))
}

const schemaOf = (part: unknown): $ZodType => z.custom<$ZodType>((each) => typeof each === 'object').parse(part)

/** Whether a schema accepts a character that a line cannot have, and passes it on. */
function takesControls(schema: $ZodType): boolean {
  return PROBES.some((probe) => {
    const { data } = safeParse(schema, probe)
    return typeof data === 'string' && /[^ -~]/.test(data)
  })
}

const inputs = [
  ...[...ADMIN_API_ENDPOINTS, ...AI_API_ENDPOINTS].flatMap(({ schema }) =>
    (['params', 'querystring', 'headers', 'body'] as const).flatMap((name): [string, $ZodType][] => {
      const input = schema[name]
      // The schemas below read the cells of an import.
      const isImport = schema.operationId.endsWith('.import')
      return input === undefined || isImport ? [] : [[`${schema.operationId} ${name}`, input]]
    }),
  ),
  ['imported tenant', importedTenant] as const,
  ['imported user', importedUser] as const,
]

test('no text of one line accepts a line break, a control character or a changed direction', () => {
  const found = inputs
    .flatMap(([name, input]) => stringsIn(input, name))
    .filter(([, schema]) => takesControls(schema))
    .map(([path]) => path)
  expect(found.toSorted()).toEqual(ANY_CHARACTERS.toSorted())
})

test('a text that accepts any character is found', () => {
  const schema = z.object({
    a: z.string().nullable(),
    b: z.array(z.string().trim()),
    c: z.record(z.string(), z.string().regex(/^[a-z]+$/)).optional(),
    d: z.union([z.int(), z.string().pipe(z.string().max(5))]),
  })
  const found = stringsIn(schema, 'x').filter(([, each]) => takesControls(each))
  expect(found.map(([path]) => path)).toEqual(['x.a', 'x.b[]', 'x.c{}', 'x.d'])
})
