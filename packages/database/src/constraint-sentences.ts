/**
 * What people read when a write meets a unique constraint, by the constraint's name. The one such table of the code;
 * a test holds it against the migrations.
 */
export const CONSTRAINT_SENTENCES: Readonly<Record<string, string>> = {
  admins_email_unique: 'This e-mail address is already in use.',
  api_keys_rotated_once: 'This key has already been rotated.',
  tenants_subdomain_unique: 'This subdomain is already taken.',
}
