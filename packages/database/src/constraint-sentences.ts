/**
 * What people read when a write meets a unique constraint, by the constraint's name. The one such table of the code;
 * a test holds it against the migrations.
 */
export const CONSTRAINT_SENTENCES: Readonly<Record<string, string>> = {
  admins_email_unique: 'This e-mail address is already in use.',
  tenants_subdomain_unique: 'This subdomain is already taken.',
}
