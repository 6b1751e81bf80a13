/** Path that begins a single sign-on. A file of its own: /login needs the path without the schemas. */
export const SIGN_ON_PATH = '/api/v1/admin/auth/oidc/start'
