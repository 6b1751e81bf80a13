import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCan } from '#src/lib/can.ts'
import { listText } from '#src/lib/format/count.ts'
import { tenantPages } from '#src/tenants/tenants.api.ts'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { EmptyList } from '#src/ui/list/empty-list.tsx'
import { ListActions } from '#src/ui/list/list-actions.tsx'
import { ListContent } from '#src/ui/list/list-content.tsx'
import { ListTools } from '#src/ui/list/list-tools.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { Pager } from '#src/ui/list/pager.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import { refreshKeys, tenantListOf } from './api-keys.api.ts'
import type { KeyView } from './key-view.ts'
import css from './keys-by-tenant.module.css'
import { TenantKeys, TenantKeysSkeleton } from './tenant-keys.tsx'

const route = getRouteApi('/signed-in/keys')

/** The keys by tenant. The URL lists the expanded tenants. */
export function KeysByTenant(view: KeyView) {
  const { sentence, viewSwitch, phoneViewActions, onGenerate } = view
  const canEdit = useCan('edit')
  const isPhone = useIsPhone()
  const search = route.useSearch()
  const list = tenantListOf(search)
  const navigate = route.useNavigate()
  const tenants = useQuery({ ...tenantPages.query(list), placeholderData: keepPreviousData })
  const open = new Set(search.open?.split(','))

  function toggle(id: string) {
    const next = open.has(id) ? open.difference(new Set([id])) : new Set([...open, id])
    void navigate({
      search: (before) => ({ ...before, open: [...next].join(',') }),
      replace: true,
      resetScroll: false,
    })
  }

  const total = tenants.data && listText(tenants.data.total, 'tenant', search.q !== undefined)
  const menu = (
    <ListActions
      title="API Keys"
      noun="API keys"
      query={tenants}
      onRefresh={refreshKeys}
      phoneActions={phoneViewActions}
    />
  )
  return (
    <Page
      title="API Keys"
      subtitle={
        <>
          {total && <span>{total} · </span>}
          <span>{sentence}</span>
        </>
      }
      isList
      action={
        <>
          {isPhone && menu}
          {canEdit && (
            <Button
              aria-keyshortcuts="C"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => onGenerate(null)}
            >
              Generate Key
            </Button>
          )}
        </>
      }
    >
      <ListTools list={list} searchLabel="Search tenants" views={viewSwitch}>
        {menu}
      </ListTools>
      <ListContent
        query={tenants}
        search={list.q}
        noun="tenants"
        total={total}
        empty={
          <EmptyList
            list={list}
            noun="tenants"
            searchHelp="Search looks at names and subdomains."
            title="No tenants found."
            help="Keys belong to tenants: create one first."
            action={canEdit && <ButtonLink to="/tenants/create">New Tenant</ButtonLink>}
          />
        }
      >
        <div className={css.tenants} aria-busy={tenants.isPlaceholderData}>
          {tenants.data?.rows.map((tenant) => (
            <TenantKeys
              key={tenant.id}
              tenant={tenant}
              view={view}
              isOpen={open.has(tenant.id)}
              onToggle={() => toggle(tenant.id)}
            />
          )) ?? <TenantKeysSkeleton />}
        </div>
        <Pager page={tenants.data} limit={list.limit} noun="tenant" />
      </ListContent>
    </Page>
  )
}
