import { allowedOriginFor, isOriginAllowed } from '@switchboard/contract/api-keys/allowed-origins'
import {
  type KeyDiagnosis,
  REFUSED_ORIGINS_KEPT_DAYS,
  type RefusedOrigin,
} from '@switchboard/contract/api-keys/key-diagnosis'
import { useAllowOrigin } from '#src/api-keys/api-keys.api.ts'
import { useCan } from '#src/lib/can.ts'
import { countText } from '#src/lib/format/count.ts'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { DrawerSection } from './drawer-section.tsx'
import css from './refused-origins.module.css'

/** The last origins that the key refused, each with a button that allows it. */
export function RefusedOrigins({ diagnosis: { key, refused_origins } }: { diagnosis: KeyDiagnosis }) {
  const { allow, isPending } = useAllowOrigin()
  if (refused_origins.length === 0) return null
  return (
    <DrawerSection title="Refused origins">
      <table className={css.origins} aria-label="Refused origins">
        <thead className={css.head}>
          <tr>
            <th scope="col">Origin</th>
            <th scope="col">Calls</th>
            <th scope="col">Last</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {refused_origins.map((refused) => (
            // Browsers also send the text "null".
            <tr key={refused.origin ?? ''}>
              <th scope="row" className={css.origin} data-tooltip="cut">
                {refused.origin ?? 'No Origin header'}
              </th>
              <td className={css.count}>{countText(refused.count)}</td>
              <td className={css.last}>
                <RelativeTime moment={refused.last_at} />
              </td>
              <td className={css.change}>
                {isAllowed(key, refused) ? (
                  'Allowed now'
                ) : (
                  <AllowButton apiKey={key} origin={refused.origin} isBusy={isPending} onAllow={allow} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="note">
        Counts all calls since the first refusal, not only those of the time range above. An origin without a call for{' '}
        {REFUSED_ORIGINS_KEPT_DAYS} days is no longer listed.
      </p>
    </DrawerSection>
  )
}

type ButtonProps = {
  apiKey: KeyDiagnosis['key']
  origin: string | null
  isBusy: boolean
  onAllow: ReturnType<typeof useAllowOrigin>['allow']
}

/** Nothing for an origin that no allowed origin can match, and for a role that changes no keys. */
function AllowButton({ apiKey, origin, isBusy, onAllow }: ButtonProps) {
  const canEdit = useCan('edit')
  if (!canEdit || origin === null || apiKey.revoked_at !== null || allowedOriginFor(origin) === null) return null
  return (
    <button
      type="button"
      className={css.allow}
      aria-label={`Allow ${origin}`}
      aria-disabled={isBusy}
      onClick={() => isBusy || void onAllow(apiKey, origin)}
    >
      Allow
    </button>
  )
}

function isAllowed({ allowed_origins }: KeyDiagnosis['key'], { origin }: RefusedOrigin): boolean {
  return isOriginAllowed(allowed_origins, origin ?? undefined)
}
