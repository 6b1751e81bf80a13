import {
  getPromptReach,
  getPromptVersion,
  listPromptTemplates,
  listPromptTypes,
  listPromptVersions,
  PREVIEW_GOAL_DEFAULT,
  previewPrompt,
  type PreviewPromptBody,
  type PromptTemplate,
  promptVersionListQuery,
  restorePromptVersion,
  savePromptTemplate,
  versionNumber,
} from '@switchboard/contract/prompts'
import { GENERAL_PROMPT, withDefaults } from '@switchboard/contract/prompts/variables'
import { queryOptions, useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { catch as withFallback } from 'zod/mini'
import { call, callPage } from '#src/lib/call.ts'
import { shortPageSize } from '#src/lists/page-size.ts'
import { prefetch, queryClient } from '#src/lib/query-client.ts'
import type { ChosenTenant } from '#src/tenants/tenant-select.tsx'
import type { VersionContent } from './draft.ts'

const ALL_PROMPTS = ['prompts']
const params = { prompt_type: GENERAL_PROMPT }

// Invalid values in the URL are ignored.
const historySearch = z.object({
  limit: shortPageSize,
  cursor: withFallback(promptVersionListQuery.shape.cursor, undefined),
})
const comparisonSearch = z.object({
  from: withFallback(versionNumber, 1),
  to: withFallback(z.optional(versionNumber), undefined),
  view: withFallback(z.enum(['split', 'inline']), 'split'),
})

/** The page of the history in the search parameters of /advanced-settings. */
export function historyOf(search: { limit?: string | undefined; cursor?: string | undefined }) {
  return historySearch.parse(search)
}
export type History = ReturnType<typeof historyOf>

/** The compared versions in the search parameters. Without `to`, the live version. */
export function comparisonOf(search: {
  from?: string | undefined
  to?: string | undefined
  view?: string | undefined
}) {
  return comparisonSearch.parse(search)
}

// A text is the base template or, with the id of a tenant, the addendum of the tenant.

/** The live version of a text; null without one. */
export function liveTextQuery(tenantId: string | undefined) {
  return queryOptions({
    queryKey: [...ALL_PROMPTS, 'live', tenantId ?? null],
    queryFn: async ({ signal }): Promise<PromptTemplate | null> => {
      const answer = await call(listPromptTemplates, { query: { tenant_id: tenantId }, signal })
      const templates = Array.isArray(answer) ? answer : answer.prompts
      return templates.find((template) => template.prompt_type === GENERAL_PROMPT) ?? null
    },
  })
}

export const promptTypesQuery = queryOptions({
  queryKey: [...ALL_PROMPTS, 'types'],
  queryFn: async ({ signal }) => (await call(listPromptTypes, { signal })).prompt_types,
})

export function historyQuery(history: History, tenantId: string | undefined) {
  const query = { ...history, tenant_id: tenantId, q: undefined, sort: undefined }
  return queryOptions({
    queryKey: [...ALL_PROMPTS, 'history', query],
    queryFn: ({ signal }) => callPage(listPromptVersions, { params, query, signal }),
  })
}

/** A version never changes, so it is fetched once. */
export function versionQuery(number: number, tenantId: string | undefined) {
  return queryOptions({
    queryKey: ['prompt version', number, tenantId ?? null],
    queryFn: ({ signal }) =>
      call(getPromptVersion, { params: { ...params, version: number }, query: { tenant_id: tenantId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export const reachQuery = queryOptions({
  queryKey: [...ALL_PROMPTS, 'reach'],
  queryFn: ({ signal }) => call(getPromptReach, { params, signal }),
  staleTime: 0,
})

/** The values of a preview: a typed goal or the values of a tenant, and typed values of declared variables. */
export type PreviewInput = { goal: string; tenant: ChosenTenant | null; variables: Record<string, string> }

export const PREVIEW_DEFAULTS: PreviewInput = { goal: PREVIEW_GOAL_DEFAULT, tenant: null, variables: {} }

export function previewBody(
  { template, declared_variables }: VersionContent,
  { goal, tenant, variables }: PreviewInput,
): PreviewPromptBody {
  return {
    template,
    declared_variables,
    variables: { ...withDefaults(declared_variables, variables), goal },
    ...(tenant && { tenant_id: tenant.id }),
  }
}

/** A rendered template with its warnings. An invalid template is a 422 with the line and the column. */
export function previewQuery(body: PreviewPromptBody) {
  return queryOptions({
    queryKey: ['prompt preview', body],
    queryFn: ({ signal }) => call(previewPrompt, { body, signal }),
    // The values of a tenant may change, and texts are long, so previews are not cached.
    staleTime: 0,
    gcTime: 0,
  })
}

/** Prefetches the data of /advanced-settings without blocking the page. */
export function prefetchPrompts(search: Parameters<typeof historyOf>[0]): void {
  prefetch(promptTypesQuery)
  prefetch(liveTextQuery(undefined))
  prefetch(historyQuery(historyOf(search), undefined))
}

/** Prefetches the data of the tab Prompt of a tenant. */
export function prefetchTenantPrompt(search: Parameters<typeof historyOf>[0], tenantId: string): void {
  prefetch(liveTextQuery(undefined))
  prefetch(liveTextQuery(tenantId))
  prefetch(historyQuery(historyOf(search), tenantId))
}

export function prefetchComparison(search: Parameters<typeof comparisonOf>[0], tenantId?: string): void {
  const { from, to } = comparisonOf(search)
  for (const number of [from, to]) if (number !== undefined) prefetch(versionQuery(number, tenantId))
  prefetch(liveTextQuery(tenantId))
}

/** The link to a comparison of two versions of a text. */
export function comparisonLink(tenantId: string | undefined, search: { from: string; to: string }) {
  return tenantId === undefined
    ? ({ to: '/advanced-settings/compare', search } as const)
    : ({ to: '/tenants/$tenantId/prompt/compare', params: { tenantId }, search } as const)
}

/** The next version: an edited one, or an old version. */
export type Publication = { kind: 'save' } | { kind: 'restore'; version: number }

type NextVersion = { publication: Publication; content: VersionContent; base: number; note: string }

/** Publishes over the version `base`; another live version is a 412 with `stalePrompt` of the contract. */
export function usePublish(tenantId: string | undefined) {
  const query = { tenant_id: tenantId }
  return useMutation({
    mutationFn: ({ publication, content: { template, declared_variables }, base, note }: NextVersion) =>
      publication.kind === 'save'
        ? call(savePromptTemplate, {
            params,
            query,
            // An addendum has the variables of the base template.
            body: { template, note, ...(tenantId === undefined && { declared_variables }) },
            ifMatch: base,
          })
        : call(restorePromptVersion, {
            params: { ...params, version: publication.version },
            query,
            body: { note },
            ifMatch: base,
          }),
    onSuccess: (live) => {
      queryClient.setQueryData(liveTextQuery(tenantId).queryKey, live)
      void queryClient.invalidateQueries({ queryKey: ALL_PROMPTS })
    },
    // After a refusal, another admin may have saved: the history shows the new version.
    onError: () => void queryClient.invalidateQueries({ queryKey: ALL_PROMPTS }),
  })
}
