import * as z from 'zod/mini'
import { promptTemplate } from '#src/prompts.ts'
import type { EventDescription } from './event-description.ts'

export const PROMPT_EVENTS = {
  'prompt.published': {
    actions: ['prompts.save', 'prompts.restore'],
    subjects: ['prompt', 'addendum'],
    description:
      'A new version of a prompt template, or of the addendum of a tenant, was published. The event does not have its text.',
    fields: z.pick(promptTemplate, {
      version: true,
      size: true,
      declared_variables: true,
      note: true,
      restored_from: true,
    }).shape,
    example: { changes: { version: [7, 8], size: [1_204, 1_187], note: [null, 'Shorter'] } },
  },
} as const satisfies Record<string, EventDescription>
