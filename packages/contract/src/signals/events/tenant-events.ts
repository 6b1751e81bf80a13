import * as z from 'zod/mini'
import { tenant } from '#src/tenants.ts'
import { became, type EventDescription } from './event-description.ts'

const fields = z.pick(tenant, {
  name: true,
  subdomain: true,
  status: true,
  tenant_type: true,
  goal: true,
  aggressiveness: true,
  tags: true,
  custom_fields: true,
  external_id: true,
  suspension_reason: true,
  suspended_until: true,
}).shape
const subdomain = { subdomain: tenant.shape.subdomain }

export const TENANT_EVENTS = {
  'tenant.created': {
    actions: ['tenants.create', 'tenants.import'],
    subjects: ['tenant'],
    description: 'A tenant was created.',
    fields,
    example: {
      changes: {
        name: [null, 'Example Bakery'],
        subdomain: [null, 'example-bakery'],
        tenant_type: [null, 'product'],
        external_id: [null, 'cus_NffrFeUfNV2Hib'],
      },
    },
  },
  'tenant.suspended': {
    actions: ['tenants.update'],
    when: became('status', 'inactive'),
    subjects: ['tenant'],
    description: 'A tenant was suspended: its keys are refused and its tasks do not run.',
    fields,
    example: {
      reason: 'Unpaid invoice',
      changes: { status: ['active', 'inactive'], suspension_reason: [null, 'Unpaid invoice'] },
    },
  },
  'tenant.reactivated': {
    actions: ['tenants.update'],
    when: became('status', 'active'),
    subjects: ['tenant'],
    description: 'A tenant was reactivated, by a person or at the end of its suspension.',
    fields,
    example: {
      changes: { status: ['inactive', 'active'], suspension_reason: ['Unpaid invoice', null] },
    },
  },
  'tenant.updated': {
    actions: ['tenants.update'],
    subjects: ['tenant'],
    description: 'A tenant was changed, but not its status.',
    fields,
    example: { changes: { goal: ['sell bread', 'sell fresh bread'] } },
  },
  'tenant.deleted': {
    actions: ['tenants.delete'],
    subjects: ['tenant'],
    description: 'A tenant was deleted with its users, keys and tasks. It can be restored for 30 days.',
    fields: { ...subdomain, admin_count: z.int(), api_key_count: z.int(), task_count: z.int() },
    example: {
      changes: {
        subdomain: ['example-bakery', null],
        admin_count: [2, null],
        api_key_count: [2, null],
        task_count: [0, null],
      },
    },
  },
  'tenant.restored': {
    actions: ['tenants.restore'],
    subjects: ['tenant'],
    description: 'A deleted tenant was restored.',
    example: {},
  },
  'tenant.purged': {
    actions: ['tenants.purge'],
    subjects: ['tenant'],
    description: 'A deleted tenant was deleted permanently, by a person or 30 days after its deletion.',
    fields: subdomain,
    example: { changes: { subdomain: ['example-bakery', null] } },
  },
  'tenant_note.created': {
    actions: ['notes.create'],
    subjects: ['tenant'],
    description: 'A note was added to a tenant.',
    example: { changes: { note: [null, null] } },
  },
  'tenant_note.updated': {
    actions: ['notes.update'],
    subjects: ['tenant'],
    description: 'A note on a tenant was changed.',
    example: { changes: { note: [null, null] } },
  },
  'tenant_note.deleted': {
    actions: ['notes.delete'],
    subjects: ['tenant'],
    description: 'A note was removed from a tenant.',
    example: { changes: { note: [null, null] } },
  },
} as const satisfies Record<string, EventDescription>
