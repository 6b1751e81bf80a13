import * as calls from '@switchboard/contract/signals/alert-rules'
import type {
  AlertRule,
  AlertRules,
  AlertSettings,
  UpdateAlertRuleBody,
} from '@switchboard/contract/signals/alert-rules'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { prefetch, queryClient } from '#src/lib/query-client.ts'
import { alertsQuery } from './alerts.api.ts'

const RULES = ['alert-rules']

/** The rules of all kinds, and when messages are sent. */
export const alertRulesQuery = queryOptions({
  queryKey: RULES,
  queryFn: ({ signal }) => call(calls.listAlertRules, { signal }),
})

/** Prefetches the data of /settings/alerts. */
export function prefetchAlerts(): void {
  prefetch(alertsQuery)
  prefetch(alertRulesQuery)
}

export function useUpdateAlertRule() {
  return useMutation({
    mutationFn: ({ kind, body }: { kind: AlertRule['kind']; body: UpdateAlertRuleBody }) =>
      call(calls.updateAlertRule, { params: { kind }, body }),
    onSuccess: (saved) =>
      queryClient.setQueryData(
        RULES,
        (all?: AlertRules) =>
          all && { ...all, rules: all.rules.map((rule) => (rule.kind === saved.kind ? saved : rule)) },
      ),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: RULES }),
  })
}

export function useUpdateAlertSettings() {
  return useMutation({
    mutationFn: (body: AlertSettings) => call(calls.updateAlertSettings, { body }),
    onSuccess: (settings) => queryClient.setQueryData(RULES, (all?: AlertRules) => all && { ...all, settings }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: RULES }),
  })
}
