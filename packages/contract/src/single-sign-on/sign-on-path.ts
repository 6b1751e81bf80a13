/** Path that begins a single sign-on. In a separate file, because /login needs the path without the schemas. */
export const SIGN_ON_PATH = '/api/v1/admin/auth/oidc/start'
