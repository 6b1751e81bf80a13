import { SECRET, variables } from '@switchboard/server/settings/variables'
import { z } from 'zod'
import { codeList, linked, tableOf } from './tables.ts'

const about = z.object({ description: z.string(), fallback: z.string().optional() })

/** The table of all settings, from the schema that the servers read them with, and the names of the secrets. */
export function settingsOf(page: string): string {
  const defaults: Record<string, unknown> = variables.parse({})
  const rows = Object.entries(variables.shape).map(([name, schema]) => {
    const { description, fallback } = about.parse(schema.meta(), { error: () => `${name} has no description.` })
    return [`\`${name}\``, fallback ?? shown(defaults[name]), linked(description, page)]
  })
  return [
    tableOf(['name', 'default', 'meaning'], rows),
    `A secret can be in a file: \`SMTP_URL_FILE=/run/secrets/smtp\` replaces \`SMTP_URL\`. This works for ${codeList([...SECRET])}.`,
  ].join('\n\n')
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `\`${value}\`` : ''
}
