# The image of admin-api, ai-api, worker and the commands: docker build --tag switchboard .
# Each container starts one of them: docker run … switchboard apps/worker/src/main.ts

FROM node:26.10.0-trixie-slim AS build
WORKDIR /build
COPY . .
RUN npm ci
RUN npm run build
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
