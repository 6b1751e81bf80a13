import { useQuery } from '@tanstack/react-query'
import { Section } from '#src/ui/card/section.tsx'
import { PORTAL_SIGN_INS_SHOWN, portalSignInsQuery } from './portal-sign-ins.api.ts'
import { PortalSignIns } from './portal-sign-ins.tsx'

/** The sign-ins to the portal of a tenant. Nothing without any. */
export function TenantPortalSignIns({ tenantId }: { tenantId: string }) {
  const first = useQuery(portalSignInsQuery({ tenant_id: tenantId, limit: PORTAL_SIGN_INS_SHOWN, cursor: undefined }))
  if (first.data?.rows.length === 0 || first.isPending) return null
  return (
    <Section title="Portal sign-ins">
      <PortalSignIns key={tenantId} of={{ tenant_id: tenantId }} limit={PORTAL_SIGN_INS_SHOWN} />
    </Section>
  )
}
