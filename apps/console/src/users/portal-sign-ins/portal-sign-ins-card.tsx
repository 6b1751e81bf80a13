import { Card } from '#src/ui/card/card.tsx'
import { PORTAL_SIGN_INS_SHOWN } from './portal-sign-ins.api.ts'
import { PortalSignIns } from './portal-sign-ins.tsx'

/** The sign-ins to the portal of a tenant. */
export function PortalSignInsCard({ tenantId }: { tenantId: string }) {
  return (
    <Card title="Portal sign-ins">
      <PortalSignIns key={tenantId} of={{ tenant_id: tenantId }} limit={PORTAL_SIGN_INS_SHOWN} />
    </Card>
  )
}
