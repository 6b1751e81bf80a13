import { GENERAL_PROMPT, PREVIEW_GOAL_DEFAULT, type PreviewPromptBody } from '@switchboard/contract/prompts'
import type { ChosenTenant } from '#src/tenants/tenant-select.tsx'

/** What a preview is rendered with: a goal, or all that a tenant has. */
export type PreviewGiven = { goal: string; tenant: ChosenTenant | null }

export const PREVIEW_GIVEN: PreviewGiven = { goal: PREVIEW_GOAL_DEFAULT, tenant: null }

export function previewBody(template: string, { goal, tenant }: PreviewGiven): PreviewPromptBody {
  return {
    template,
    variables: { goal, current_heat_category_name: GENERAL_PROMPT },
    ...(tenant && { tenant_id: tenant.id }),
  }
}
