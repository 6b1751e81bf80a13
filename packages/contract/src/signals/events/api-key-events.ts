import * as z from 'zod/mini'
import { EXPIRED_KEY_ACTION, GRACE_EXPIRED_ACTION } from '#src/activity.ts'
import { apiKey } from '#src/api-keys.ts'
import { became, type EventDescription } from './event-description.ts'

const fields = z.pick(apiKey, {
  tenant_id: true,
  name: true,
  description: true,
  environment: true,
  allowed_origins: true,
  is_active: true,
  expires_at: true,
  key_start: true,
  key_last4: true,
  rotated_from: true,
  rotated_to: true,
  grace_ends_at: true,
  revoked_at: true,
  reported_at: true,
  reported_url: true,
}).shape

/** Events about API keys. None has a secret. */
export const API_KEY_EVENTS = {
  'api_key.created': {
    actions: ['api_keys.create', 'api_keys.rotate'],
    when: ({ action, changes }) => action !== 'api_keys.rotate' || 'rotated_from' in changes,
    subjects: ['api_key'],
    description:
      'An API key was generated, or a rotation made one: then `rotated_from` is the id of the old key. The event does not have the secret.',
    fields,
    example: {
      changes: {
        name: [null, 'Production'],
        environment: [null, 'live'],
        allowed_origins: [null, ['https://shop.example.com']],
        expires_at: [null, null],
        key_start: [null, 'Qm7x'],
        key_last4: [null, '9f3k'],
      },
    },
  },
  'api_key.rotated': {
    actions: ['api_keys.rotate'],
    subjects: ['api_key'],
    description: 'An API key was rotated. It is accepted until `grace_ends_at`. `rotated_to` is the id of the new one.',
    fields,
    example: {
      changes: {
        expires_at: [null, '2026-11-21T12:00:00.000Z'],
        grace_ends_at: [null, '2026-11-21T12:00:00.000Z'],
        rotated_to: [null, '8e7f6a5b-4c3d-4b0c-9a1e-2f434d6a9c1d'],
      },
    },
  },
  'api_key.grace_extended': {
    actions: ['api_keys.extend_grace'],
    subjects: ['api_key'],
    description: 'The grace period of a rotated API key was extended.',
    fields,
    example: {
      changes: { grace_ends_at: ['2026-11-21T12:00:00.000Z', '2026-11-24T12:00:00.000Z'] },
    },
  },
  'api_key.grace_ended': {
    actions: [GRACE_EXPIRED_ACTION, 'api_keys.end_grace'],
    subjects: ['api_key'],
    description: 'The grace period of a rotated API key ended, in time or by a person. The key is refused.',
    fields,
    example: { reason: 'The grace period has ended.' },
  },
  'api_key.expired': {
    actions: [EXPIRED_KEY_ACTION],
    subjects: ['api_key'],
    description: 'An API key reached its expiry. The key is refused.',
    example: { reason: 'The key has expired.' },
  },
  'api_key.activated': {
    actions: ['api_keys.toggle'],
    when: became('is_active', true),
    subjects: ['api_key'],
    description: 'An API key was activated.',
    fields,
    example: { changes: { is_active: [false, true] } },
  },
  'api_key.deactivated': {
    actions: ['api_keys.toggle'],
    when: became('is_active', false),
    subjects: ['api_key'],
    description: 'An API key was deactivated. The key is refused.',
    fields,
    example: { changes: { is_active: [true, false] } },
  },
  'api_key.updated': {
    actions: ['api_keys.update'],
    subjects: ['api_key'],
    description: 'The name, description, origins or expiry of an API key was changed.',
    fields,
    example: { changes: { allowed_origins: [[], ['https://shop.example.com']] } },
  },
  'api_key.leaked': {
    actions: ['keys.report'],
    subjects: ['api_key'],
    description: 'The secret of an API key was found in a public place. Replace the key.',
    fields,
    example: {
      changes: {
        reported_at: [null, '2026-11-20T12:00:00.000Z'],
        reported_url: [null, 'https://github.com/example/shop/blob/main/.env'],
      },
    },
  },
  'api_key.deleted': {
    actions: ['api_keys.delete'],
    subjects: ['api_key'],
    description: 'An API key was deleted. It can be restored for 30 days.',
    fields,
    example: { changes: { name: ['Production', null], key_last4: ['9f3k', null] } },
  },
  'api_key.restored': {
    actions: ['api_keys.restore'],
    subjects: ['api_key'],
    description: 'A deleted API key was restored.',
    example: {},
  },
} as const satisfies Record<string, EventDescription>
