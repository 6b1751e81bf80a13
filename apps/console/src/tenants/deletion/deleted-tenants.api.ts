import { purgeTenant, restoreTenant, type Tenant, tenantList } from '@switchboard/contract/tenants'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call, callPage } from '#src/lib/call.ts'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { queryClient } from '#src/lib/query-client.ts'

type Named = Pick<Tenant, 'id' | 'name'>

/** A deleted tenant by its id; null without such a tenant. */
export function deletedTenantQuery(id: string) {
  return queryOptions({
    queryKey: ['tenants', 'deleted', id],
    queryFn: async ({ signal }) =>
      (await callPage(tenantList.list, { query: { id, status: 'deleted', limit: 1 }, signal })).rows[0] ?? null,
  })
}

/** Restores a deleted tenant, for Undo. */
export async function restoreDeleted({ id, name }: Named): Promise<string> {
  try {
    await call(restoreTenant, { params: { id } })
    return `${name} was restored.`
  } finally {
    void queryClient.invalidateQueries()
  }
}

/** Restores a deleted tenant, and reports the result. */
export function useRestoreTenant() {
  const restore = useMutation({
    mutationFn: restoreDeleted,
    onSuccess: (done, { id }) => notify('ok', done, { about: id }),
    onError: (error, tenant) =>
      notifyFailure(error, `${tenant.name} could not be restored.`, {
        about: tenant.id,
        onRetry: () => restore.mutate(tenant),
      }),
  })
  return restore
}

export function usePurgeTenant() {
  return useMutation({
    mutationFn: ({ id }: Named) => call(purgeTenant, { params: { id } }),
    onSettled: () => void queryClient.invalidateQueries(),
  })
}
