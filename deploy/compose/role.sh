# Runs once, when the volume of PostgreSQL is empty. The role of the servers owns its database and is not a superuser; the
# superuser signs in only from within the container. A verification of a backup creates a scratch database.
psql --username=postgres --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" <<'SQL'
create role switchboard login createdb password :'password';
create database switchboard owner switchboard;
alter role postgres password null;
SQL
