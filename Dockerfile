# The image of admin-api, ai-api, worker and the commands: docker build --tag switchboard .
# Each container starts one of them: docker run … switchboard apps/worker/src/main.ts

# The version that the servers and the label name. A build between two releases adds the commit: 1.0.0+abc1234
ARG VERSION=0.2.0

# The files that decide which packages npm installs. A change of any other file keeps the installed packages cached.
FROM node:26.12.1-trixie-slim AS manifests
WORKDIR /build
COPY . .
RUN find . ! -type d ! -name package.json ! -name package-lock.json ! -name .npmrc -delete && find . -type d -empty -delete

FROM node:26.12.1-trixie-slim AS build
WORKDIR /build
COPY --from=manifests /build ./
RUN npm ci
COPY . .
ARG VERSION
RUN npm pkg set version="$VERSION" && npm run build
# The one library of Node that the final image lacks.
RUN mkdir libraries && ldd "$(command -v node)" | awk '/libatomic/ { print $3 }' | xargs -r cp -L -t libraries

# Without a shell and a package manager. `nonroot` is user 65532.
FROM gcr.io/distroless/cc-debian13:nonroot
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /build/libraries/ /usr/lib/
COPY --from=build /build/dist/release /app
WORKDIR /app
USER 65532:65532
ENV NODE_ENV=production HOST=0.0.0.0 HEALTH_URL=http://127.0.0.1:3000/readyz
EXPOSE 3000 3001
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["/usr/local/bin/node", "--eval", "fetch(process.env.HEALTH_URL).then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["/usr/local/bin/node"]
CMD ["apps/admin-api/src/main.ts"]
ARG VERSION
# The hash of the commit.
ARG REVISION
LABEL org.opencontainers.image.version="$VERSION" org.opencontainers.image.revision="$REVISION"
