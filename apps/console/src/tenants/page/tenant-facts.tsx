import type { RatedPlace } from '@switchboard/contract/reviews/rating-history'
import type { Tenant } from '@switchboard/contract/tenants'
import { AGGRESSIVENESS_MAX, aggressivenessBand } from '@switchboard/contract/tenants/aggressiveness'
import { IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { copyRecordId } from '#src/lib/copy-id.ts'
import { counted } from '#src/lib/format/count.ts'
import { relativeText } from '#src/lib/format/moment.ts'
import { shortId } from '#src/lib/format/short-id.ts'
import { TYPE_OPTIONS } from '#src/tenants/tenant-labels.ts'
import { STATUS_BADGES } from '#src/tenants/tenant-status-labels.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { Day } from '#src/ui/time/day.tsx'
import css from './tenant-facts.module.css'
import { tenantHealthQuery } from './tenant-page.api.ts'

/** The settings of a tenant, and how it does. A fact without a value is left out. */
export function TenantFacts({ tenant, places }: { tenant: Tenant; places: readonly RatedPlace[] }) {
  const { goal, aggressiveness, status, tenant_type } = tenant
  return (
    <section aria-label="Facts">
      <Facts>
        <Fact term="Status">
          <Badge {...STATUS_BADGES[status]} dot />
        </Fact>
        <Fact term="Type">{TYPE_OPTIONS.find(({ value }) => value === tenant_type)?.label}</Fact>
        {goal !== '' && (
          <Fact term="Goal">
            <span dir="auto" className={css.goal}>
              {goal}
            </span>
          </Fact>
        )}
        <Fact term="Aggressiveness">
          <span className={css.aggressiveness}>
            {aggressiveness.toFixed(1)}
            <span className={`${css.track} ${css[aggressivenessBand(aggressiveness)]}`} aria-hidden>
              <span style={{ width: `${(100 * aggressiveness) / AGGRESSIVENESS_MAX}%` }} />
            </span>
            <span className="ink-3">{tendency(aggressiveness)}</span>
          </span>
        </Fact>
        <Keys tenant={tenant} />
        <Rating tenantId={tenant.id} places={places} />
      </Facts>
    </section>
  )
}

/** "2 active, last call 1 hour ago". The banner has the keys of a tenant with a problem. */
function Keys({ tenant }: { tenant: Tenant }) {
  const health = useQuery(tenantHealthQuery(tenant.id)).data
  if (tenant.status !== 'active' || health === undefined || health.working_key_count === 0) return null
  const { working_key_count: active, last_used_at: last } = health
  return (
    <Fact term={tenant.test_api_key_count > 0 ? 'Live keys' : 'Keys'}>
      {active} active,{' '}
      <span className="ink-3">{last === null ? 'no call yet' : `last call ${relativeText(last)}`}</span>
    </Fact>
  )
}

/** The rating of all places: each counts as often as it was rated. */
function Rating({ tenantId, places }: { tenantId: string; places: readonly RatedPlace[] }) {
  const rated = places.filter(({ rating, user_rating_count }) => rating !== null && (user_rating_count ?? 0) > 0)
  if (rated.length === 0) return null
  const count = rated.reduce((sum, place) => sum + (place.user_rating_count ?? 0), 0)
  const stars = rated.reduce((sum, place) => sum + (place.rating ?? 0) * (place.user_rating_count ?? 0), 0)
  return (
    <Fact term="Google rating">
      {(stars / count).toFixed(1)}{' '}
      <Link
        to="/tenants/$tenantId/reviews"
        params={{ tenantId }}
        className="text-link target ink-2"
        resetScroll={false}
      >
        from {counted(count, 'rating')}
        {rated.length > 1 && ` of ${rated.length} places`}
      </Link>
    </Fact>
  )
}

/** When a tenant was created, and its id. */
export function TenantIdentity({ tenant: { id, name, created_at } }: { tenant: Tenant }) {
  return (
    <section aria-label="Identity">
      <Facts>
        <Fact term="Created">
          <Day moment={created_at} />
        </Fact>
        <Fact term="ID">
          <button type="button" className={css.id} data-tooltip={id} onClick={() => void copyRecordId(id, name)}>
            <span className={hidden.hidden}>Copy the ID of {name}: </span>
            <code>{shortId(id)}</code>
            <IconCopy size={14} aria-hidden />
          </button>
        </Fact>
      </Facts>
    </section>
  )
}

function tendency(aggressiveness: number): string {
  if (aggressiveness === AGGRESSIVENESS_MAX / 2) return 'balanced'
  return aggressiveness < AGGRESSIVENESS_MAX / 2 ? 'toward passive' : 'toward assertive'
}
