import { Button } from '@mantine/core'
import type { Tenant } from '@switchboard/contract/tenants'
import { Link } from '@tanstack/react-router'
import { Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useCan } from '#src/lib/can.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useTenant } from '#src/tenants/tenants.api.ts'
import { Card } from '#src/ui/card/card.tsx'
import { fieldsOf } from './details-draft.ts'
import css from './tenant-details.module.css'

const TenantDetailsForm = lazyPart(() => import('./tenant-details-form.tsx').then((code) => code.TenantDetailsForm))

/** The tags and the custom fields of a tenant, edited in place. */
export function TenantDetails({ tenantId }: { tenantId: string }) {
  const tenant = useTenant(tenantId)
  const canEdit = useCan('edit')
  const [isEditing, setIsEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  if (!tenant) return null

  function close() {
    flushSync(() => setIsEditing(false))
    editButton.current?.focus()
  }

  return (
    <Card
      title="Details"
      action={
        !isEditing &&
        canEdit && (
          <Button
            ref={editButton}
            variant="default"
            size="compact-md"
            onPointerEnter={() => void TenantDetailsForm.preload?.()}
            onClick={() => setIsEditing(true)}
          >
            Edit details
          </Button>
        )
      }
    >
      {isEditing ? (
        <Suspense>
          <TenantDetailsForm tenant={tenant} onClose={close} />
        </Suspense>
      ) : (
        <Details tenant={tenant} />
      )}
    </Card>
  )
}

function Details({ tenant }: { tenant: Tenant }) {
  const { tags } = tenant
  const fields = fieldsOf(tenant)
  if (tags.length === 0 && fields.length === 0)
    return <p className={css.none}>No tags and no custom fields. A field is a variable of the prompt too.</p>
  return (
    <div className={css.details}>
      {tags.length > 0 && (
        <ul className={css.tags} aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag}>
              <Link to="/tenants" search={{ tag }} className={css.tag}>
                {tag}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {fields.length > 0 && (
        <dl className={css.fields}>
          {fields.map(({ name, value }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd dir="auto">{value === '' ? '(empty)' : value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
