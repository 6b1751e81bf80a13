import { Button } from '@mantine/core'
import type { Tenant } from '@switchboard/contract/tenants'
import { Link } from '@tanstack/react-router'
import { Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useCan } from '#src/lib/can.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import { Section } from '#src/ui/card/section.tsx'
import { fieldsOf } from './details-draft.ts'
import css from './tenant-details.module.css'

const TenantDetailsForm = lazyPart(() => import('./tenant-details-form.tsx').then((code) => code.TenantDetailsForm))

/** The external id, the custom fields and the tags of a tenant, edited in place. */
export function TenantDetails({ tenant }: { tenant: Tenant }) {
  const canEdit = useCan('edit')
  const [isEditing, setIsEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const { external_id, tags, custom_fields } = tenant
  const isEmpty = external_id === null && tags.length === 0 && Object.keys(custom_fields).length === 0
  if (isEmpty && !canEdit) return null

  function close() {
    flushSync(() => setIsEditing(false))
    editButton.current?.focus()
  }

  return (
    <Section
      title="Details"
      action={
        !isEditing &&
        canEdit && (
          <Button
            ref={editButton}
            variant="transparent"
            size="compact-sm"
            px={0}
            onPointerEnter={() => void TenantDetailsForm.preload?.()}
            onClick={() => setIsEditing(true)}
          >
            {isEmpty ? 'Add Details' : 'Edit Details'}
          </Button>
        )
      }
    >
      {isEditing ? (
        <Suspense>
          <TenantDetailsForm tenant={tenant} onClose={close} />
        </Suspense>
      ) : (
        !isEmpty && <Details tenant={tenant} />
      )}
    </Section>
  )
}

function Details({ tenant }: { tenant: Tenant }) {
  const { external_id, tags } = tenant
  return (
    <Facts>
      {external_id !== null && (
        <Fact term="External ID">
          <code className={css.value}>{external_id}</code>
        </Fact>
      )}
      {fieldsOf(tenant).map(({ name, value }) => (
        <Fact key={name} term={name}>
          <span dir="auto" className={css.value}>
            {value === '' ? '(empty)' : value}
          </span>
        </Fact>
      ))}
      {tags.length > 0 && (
        <Fact term="Tags">
          <ul className="buttons" aria-label="Tags">
            {tags.map((tag) => (
              <li key={tag}>
                <Link to="/tenants" search={{ tag }} className={css.tag}>
                  {tag}
                </Link>
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </Facts>
  )
}
