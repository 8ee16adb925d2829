-- The two roles of the gateway and their rights. Run this file as an administrator, connected to the gateway's database:
--
--     psql --set ON_ERROR_STOP=1 --dbname login --file roles.sql
--
-- once before the first `gateway migrate` and again after every migration. The file is idempotent. After a migration it
-- grants the serving role its rights on the new tables; until then the role can only read them. If it is forgotten,
-- serving fails with "permission denied". A migration may let servers of the previous version write to a new table
-- through a function or trigger. Such a function must be a `security definer`.
--
--   gateway_migrate   owns the database and its schema; used by `gateway migrate` alone, for seconds.
--   gateway_serve     reads and writes rows; used by `gateway serve`, `accounts` and `keys`. It cannot change the schema,
--                     and it cannot change or remove a row of the audit trail.
--
-- Passwords come from the environment variables GATEWAY_MIGRATE_PASSWORD and GATEWAY_SERVE_PASSWORD. Without its variable
-- a role keeps its password (or has none, where the server trusts its socket).
--
-- The administrator is a superuser, or owns the database and has CREATEROLE and CREATEDB, as on managed servers.
-- Needs PostgreSQL 15.

\set ON_ERROR_STOP on
begin;

set local client_min_messages = warning;

do $$
declare
    role_name text;
begin
    foreach role_name in array array['gateway_migrate', 'gateway_serve'] loop
        if not exists (select from pg_roles where rolname = role_name) then
            execute format('create role %I login', role_name);
        end if;
        -- Changes only wrong attributes: the administrator of a managed server may not repeat a right one.
        if exists (select from pg_roles where rolname = role_name and not rolcanlogin) then
            execute format('alter role %I login', role_name);
        end if;
        if exists (
            select from pg_roles
             where rolname = role_name and (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls))
        then
            execute format('alter role %I nosuperuser nocreatedb nocreaterole noreplication nobypassrls', role_name);
        end if;
    end loop;
end
$$;

-- Keeps the passwords out of the server's log. The administrator of a managed server may not set this:
-- where that server logs statements, give the passwords with psql's \password in place of the variables.
select format('set local %I = %L', name, value)
  from (values ('log_statement', 'none'), ('log_min_duration_statement', '-1'), ('log_min_error_statement', 'panic'))
       as setting (name, value)
 where has_parameter_privilege(name, 'set') \gexec
\set migrate_password ''
\set serve_password ''
\getenv migrate_password GATEWAY_MIGRATE_PASSWORD
\getenv serve_password GATEWAY_SERVE_PASSWORD
select format('alter role gateway_migrate password %L', :'migrate_password') where :'migrate_password' <> '' \gexec
select format('alter role gateway_serve password %L', :'serve_password') where :'serve_password' <> '' \gexec

-- The administrator of a managed server is no superuser. It must belong to a role to give objects to it.
select format('grant gateway_migrate to %I', current_user)
where not (select rolsuper from pg_roles where rolname = current_user)
    and not pg_has_role(current_user, 'gateway_migrate', 'usage') \gexec

select format('alter database %I owner to gateway_migrate', current_database()) \gexec
select format('revoke all on database %I from public', current_database()) \gexec
select format('grant connect on database %I to gateway_serve', current_database()) \gexec
alter schema public owner to gateway_migrate;
revoke all on schema public from public;
grant usage on schema public to gateway_serve;

-- The serving role may read the tables of later migrations; the next run of this file grants the rest below.
alter default privileges for role gateway_migrate in schema public revoke all on tables from gateway_serve;
alter default privileges for role gateway_migrate in schema public grant select on tables to gateway_serve;
alter default privileges for role gateway_migrate in schema public grant usage on sequences to gateway_serve;
alter default privileges for role gateway_migrate revoke execute on functions from public;
alter default privileges for role gateway_migrate in schema public grant execute on functions to gateway_serve;

-- The existing tables.
do $$
declare
    -- The server adds audit events to the inbox and reads the log. Even a broken-in server cannot change events. Only
    -- seal_audit moves them, each with a link that names it, and only prune_audit removes months, after three more.
    read_only constant text[] := array['schema_migrations', 'schema_functions', 'audit_events', 'audit_sealed', 'audit_chain',
                                       'audit_checkpoint', 'audit_counts'];
    found record;
begin
    for found in
        select class.oid, class.relname as name, class.relispartition as is_partition
        from pg_class as class
        where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p', 'v')
    loop
        execute format('revoke all on table public.%I from gateway_serve', found.name);
        -- Only audit_sealed reads the months of the audit log.
        continue when found.is_partition;
        -- A role that sets a row's id and time could write events into the past.
        if found.name = 'audit_inbox' then
            execute format(
                'grant select, insert (%s) on table public.audit_inbox to gateway_serve',
                (select string_agg(quote_ident(attname), ', ') from pg_attribute
                  where attrelid = found.oid and attnum > 0 and not attisdropped and attname not in ('id', 'at')));
            continue;
        end if;
        execute format(
            'grant %s on table public.%I to gateway_serve',
            case
                when found.name = any (read_only) then 'select'
                else 'select, insert, update, delete'
            end,
            found.name);
    end loop;
    grant usage on all sequences in schema public to gateway_serve;
    revoke execute on all functions in schema public from public;
    grant execute on all functions in schema public to gateway_serve;
end
$$;

commit;
