import { TASK_ALREADY_RUNNING } from '@switchboard/contract/runs'
import type { ErrorCode } from '@switchboard/contract/wire/errors'

/** The error sentence of each unique constraint. A law test compares the names with the migrations. */
export const CONSTRAINT_SENTENCES: Readonly<Record<string, string>> = {
  users_email_unique: 'This email address is already in use.',
  users_external_id_unique: 'Another user has this external ID.',
  second_factors_credential_id_unique: 'This passkey is already in use.',
  api_keys_rotated_once: 'This key has already been rotated.',
  runs_one_at_a_time: TASK_ALREADY_RUNNING,
  tasks_once_for_a_place: 'This tenant already has a task for this place.',
  prompt_templates_prompt_type_unique: 'There is already a template of this type.',
  prompt_versions_version_unique: 'Another admin has just saved this template.',
  tenants_subdomain_unique: 'This subdomain is already taken.',
  tenants_external_id_unique: 'Another tenant has this external ID.',
  deletions_subdomain_unique: 'A deleted tenant holds this subdomain. Restore the tenant, or delete it permanently.',
  webhook_deliveries_event_unique: 'This event has already been planned for this webhook.',
  webhook_deliveries_one_job: 'An earlier delivery about this record has not ended.',
  log_sinks_name_unique: 'Another log sink has this name.',
  log_sinks_one_of_files: 'There is already a log sink of files.',
  service_tokens_name_unique: 'Another service token has this name.',
  users_email_unique_with_deleted: 'A user of a deleted tenant has this email address.',
  users_email_unique_with_removed:
    'A person who was removed from the team has this email address. Restore the person, or wait until 30 days after the removal.',
}

/** The code of each of these refusals that says more than `conflict`. */
export const CONSTRAINT_CODES: Readonly<Record<string, ErrorCode>> = {
  users_email_unique: 'email_taken',
  users_email_unique_with_deleted: 'email_taken',
  users_email_unique_with_removed: 'email_taken',
  users_external_id_unique: 'external_id_taken',
  tenants_external_id_unique: 'external_id_taken',
  tenants_subdomain_unique: 'subdomain_taken',
  deletions_subdomain_unique: 'subdomain_taken',
}
