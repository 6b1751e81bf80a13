import type { StatusEffects, Tenant } from '@switchboard/contract/tenants'
import { suspensionEffects } from '#src/tenants/tenant-labels.ts'

type Props = { tenant: Pick<Tenant, 'name'>; effects: StatusEffects | undefined }

/** Asks for a suspension, and lists what it breaks. `effects`: undefined if unknown. */
export function SuspensionEffects({ tenant, effects }: Props) {
  return (
    <div>
      <p>
        Suspend <strong dir="auto">{tenant.name}</strong>?
      </p>
      <ul className="bullets">
        {suspensionEffects(effects).map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </div>
  )
}
