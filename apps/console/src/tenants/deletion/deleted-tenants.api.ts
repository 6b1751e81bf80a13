import { purgeTenant, restoreTenant, type Tenant, tenantList } from '@switchboard/contract/tenants'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call, callPage } from '#src/lib/call.ts'
import { queryClient } from '#src/lib/query-client.ts'

type Named = Pick<Tenant, 'id' | 'name'>

/** A deleted tenant by its id; null without such a tenant. */
export function deletedTenantQuery(id: string) {
  return queryOptions({
    queryKey: ['tenants', 'deleted', id],
    queryFn: async ({ signal }) =>
      (await callPage(tenantList.list, { query: { id, deleted: 'true', limit: 1 }, signal })).rows[0] ?? null,
  })
}

/** Restores a deleted tenant, and returns the sentence that says so. */
export async function restoreDeleted({ id, name }: Named): Promise<string> {
  try {
    await call(restoreTenant, { params: { id } })
    return `${name} was restored.`
  } finally {
    void queryClient.invalidateQueries()
  }
}

export function usePurgeTenant() {
  return useMutation({
    mutationFn: ({ id }: Named) => call(purgeTenant, { params: { id } }),
    onSettled: () => void queryClient.invalidateQueries(),
  })
}
