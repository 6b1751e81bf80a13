import { ActionIcon } from '@mantine/core'
import { TOKEN_TENANTS_MAX } from '@switchboard/contract/tokens'
import { IconX } from '@tabler/icons-react'
import { type ChosenTenant, TenantSelect } from '#src/tenants/tenant-select.tsx'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import css from './token-tenants-field.module.css'

/** The tenants to which a token is limited. */
export function TokenTenantsField({ value, error, disabled, onChange }: Control<ChosenTenant[]>) {
  return (
    <div className={css.field}>
      <TenantSelect
        label="Tenants"
        placeholder={value.length === 0 ? 'Every tenant' : 'Add another tenant'}
        pushesDown
        error={error}
        disabled={disabled || value.length >= TOKEN_TENANTS_MAX}
        value={null}
        onChange={(tenant) => {
          if (tenant !== null && !value.some(({ id }) => id === tenant.id)) onChange([...value, tenant])
        }}
      />
      {value.length > 0 && (
        <ul className={css.tenants} aria-label="Chosen tenants">
          {value.map((tenant) => (
            <li key={tenant.id} className={css.tenant}>
              <bdi className={css.name} data-tooltip="cut">
                {tenant.name}
              </bdi>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                disabled={disabled}
                aria-label={`Remove ${tenant.name}`}
                onClick={() => onChange(value.filter(({ id }) => id !== tenant.id))}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
