import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { readRepositoryFile, repositoryFiles } from './prose.ts'

// The words on screen (docs/glossary.md, "Words on screen"): sentence case, and one word for each thing.

/** Labels that the product was asked to have, in their given case. */
const FIXED = `
  Admin Dashboard | User Management Overview | Total Users | Active Users | New Users (30d) | Users by Role |
  User Status Distribution | Top Tenants by User Count | Client/Tenant Analysis | Total Tenants | Active Tenants |
  New Tenants (30d) | Avg Admins/Tenant | Tenant Status Distribution | Tenant Growth | Tenant Health Overview |
  Admin Count | Tenant Name | Business Type | Product Company | Service Company | Email Address | Created At |
  System Admin | Admin Settings | Profile Information | Change Password | Advanced Settings |
  Account Information | Base Templates | Base Template Preview | Preview Goal | API Keys | API Key for |
  API Key Generated | Last Run | Next Run | Task Schedule | Pull Google Review | Bi-Weekly | Google Place ID |
  Generate Place ID | Business/Tenant Name | Tenant Business Name, City, and Country
`
  .trim()
  .split(/\s*\|\s*/)

/** An action on a noun: "New Tenant", "Rotate API Key". */
const ACTION =
  /\b(New|Create|Edit|Delete|Export|Import|Generate|Rotate) (Tenants?|Users?|API Keys?|Key|Tasks?|Activity)\b/g

const NAMES = /\b(Google|Maps|Internet|Ctrl|Cmd|Control|Meta|Shift|Escape|Enter)\b/g

const REFUSED: [string, RegExp][] = [
  ['"email"', /\be-mails?\b/i],
  ['American spelling', /\b(colour|organis|recognis|behaviour|cancelled|grey|centre)/i],
  ['"ID"', /\b(place|account|tenant|key) ids?\b/],
  ['"switched off" for a key', /\bkey is inactive\b/i],
]

const onScreen = repositoryFiles()
  .filter((file) => /^apps\/console\/src\/.*(?<!\.test)\.tsx?$/.test(file))
  .flatMap((file) => textsOf(file).map((text) => ({ file, text })))

test('labels are in sentence case', () => {
  const found = onScreen.filter(({ text }) => /[^.:?!…·\d] [A-Z][a-z]/.test(withoutNames(text)))
  expect(found).toEqual([])
})

test('each thing has one word on screen', () => {
  const found = onScreen.flatMap(({ file, text }) =>
    REFUSED.filter(([, pattern]) => pattern.test(text)).map(([write]) => `${file}: ${text}: write ${write}`),
  )
  expect(found).toEqual([])
})

function withoutNames(text: string): string {
  return FIXED.reduce((rest, label) => rest.replaceAll(label, 'x'), text)
    .replaceAll(ACTION, 'x')
    .replaceAll(NAMES, 'x')
}

/** The words of a source file that may be on screen: strings with a capital letter and a space. */
function textsOf(file: string): string[] {
  const { program } = parseSync(file, readRepositoryFile(file))
  const texts: string[] = []
  JSON.stringify(program, (_, node: unknown) => {
    const text = textOf(node)
    if (text !== undefined && /[A-Z]/.test(text) && text.includes(' ')) texts.push(text)
    return node
  })
  return texts
}

function textOf(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null || !('type' in node) || !('value' in node)) return undefined
  const { type, value } = node
  if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') return value.replaceAll(/\s+/g, ' ')
  if (type !== 'TemplateElement' || typeof value !== 'object' || value === null || !('cooked' in value))
    return undefined
  return typeof value.cooked === 'string' ? value.cooked : undefined
}
