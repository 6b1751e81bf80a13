import * as deliveries from '@switchboard/contract/signals/webhook-deliveries'
import type { ReplayWebhookBody, WebhookDelivery } from '@switchboard/contract/signals/webhook-deliveries'
import * as calls from '@switchboard/contract/signals/webhooks'
import type { CreateWebhookBody, UpdateWebhookBody, Webhook } from '@switchboard/contract/signals/webhooks'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { callOnce } from '#src/lib/call-once.ts'
import { call } from '#src/lib/call.ts'
import { prefetch, queryClient } from '#src/lib/query-client.ts'
import { listApi } from '#src/lists/list-api.ts'
import type { SearchOf } from '#src/lists/list-search.ts'

const WEBHOOKS = ['webhooks']
const DELIVERIES = [...WEBHOOKS, 'deliveries']

/** Intervals in milliseconds at which the states are read again: usually, and while an attempt is about to end. */
const REFETCH_MS = 10_000
const WAITING_REFETCH_MS = 1_000

/** All webhooks, read again while a page shows them. */
export const webhooksQuery = queryOptions({
  queryKey: [...WEBHOOKS, 'all'],
  queryFn: ({ signal }) => call(calls.listWebhooks, { signal }),
  refetchInterval: REFETCH_MS,
})

export const deliveryPages = listApi(deliveries.webhookDeliveryList, DELIVERIES)
export type DeliveryList = ReturnType<typeof deliveryPages.listOf>
/** The filters of the log, and the open delivery. */
export type DeliverySearch = SearchOf<typeof deliveries.webhookDeliveryList> & { delivery?: string | undefined }

/** A page of the delivery log, read again while a delivery is on its way. */
export function deliveryPageQuery(list: DeliveryList) {
  return queryOptions({
    ...deliveryPages.query(list),
    refetchInterval: ({ state }) => (state.data?.rows.some(isOnItsWay) ? WAITING_REFETCH_MS : false),
  })
}

/** A delivery with its request and the last answer. */
export function deliveryQuery(delivery_id: string) {
  return queryOptions({
    queryKey: [...WEBHOOKS, 'delivery', delivery_id],
    queryFn: ({ signal }) => call(deliveries.getWebhookDelivery, { params: { delivery_id }, signal }),
    refetchInterval: ({ state }) => (state.data && isOnItsWay(state.data) ? WAITING_REFETCH_MS : false),
  })
}

/** Whether an attempt follows. */
export function isOnItsWay({ state }: Pick<WebhookDelivery, 'state'>): boolean {
  return state === 'waiting' || state === 'retrying'
}

/** Prefetches the data of /settings/webhooks. */
export function prefetchWebhooks(): void {
  prefetch(webhooksQuery)
}

/** Prefetches the page of a webhook. */
export function prefetchWebhook(webhook_id: string, { delivery: _delivery, ...search }: DeliverySearch): void {
  prefetchWebhooks()
  deliveryPages.prefetch({ ...search, webhook_id })
}

export function useCreateWebhook() {
  return useMutation({
    // Not cached after the dialog closes: the answer holds a secret.
    gcTime: 0,
    mutationFn: (body: CreateWebhookBody) => callOnce(calls.createWebhook, { body }),
    onSuccess: refresh,
  })
}

type Change = { id: string; version: number | null; body: UpdateWebhookBody }

/** Changes a webhook. With a version, only if nobody has changed it since. */
export function useUpdateWebhook() {
  return useMutation({
    mutationFn: ({ id, version, body }: Change) =>
      call(calls.updateWebhook, { params: { id }, body, ...(version !== null && { ifMatch: version }) }),
    onSettled: refresh,
  })
}

export function useRotateWebhookSecret() {
  return useMutation({
    gcTime: 0,
    // A second rotation would end the overlap with the secret that the receiver has.
    mutationFn: ({ id, overlap_hours }: { id: string; overlap_hours: number }) =>
      callOnce(calls.rotateWebhookSecret, { params: { id }, body: { overlap_hours } }),
    onSuccess: refresh,
  })
}

export function useDeleteWebhook() {
  return useMutation({
    mutationFn: ({ id }: Pick<Webhook, 'id'>) => call(calls.deleteWebhook, { params: { id } }),
    onSettled: refresh,
  })
}

export function useTestWebhook() {
  return useMutation({
    mutationFn: ({ id }: Pick<Webhook, 'id'>) => call(deliveries.testWebhook, { params: { id } }),
    onSettled: refresh,
  })
}

export function useReplayDelivery() {
  return useMutation({
    mutationFn: ({ id }: Pick<WebhookDelivery, 'id'>) =>
      call(deliveries.replayWebhookDelivery, { params: { delivery_id: id } }),
    onSettled: refresh,
  })
}

export function useReplayWebhook() {
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: ReplayWebhookBody }) =>
      call(deliveries.replayWebhook, { params: { id }, body }),
    onSettled: refresh,
  })
}

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: WEBHOOKS })
}
