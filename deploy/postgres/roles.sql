-- The two roles of the gateway and what each may do. Run it as an administrator, connected to the gateway's database:
--
--     psql --set ON_ERROR_STOP=1 --dbname login --file roles.sql
--
-- once before the first `gateway migrate` and again after every one: it is idempotent, and the second run hands the
-- serving role its rights on what the migration made, which it can only read until then. Forgotten, serving fails with
-- "permission denied": it never has more rights than meant in between. So where a migration has servers of the version
-- before write to a new table, by a function or trigger, that function must be a `security definer`.
--
--   gateway_migrate   owns the database and its schema; used by `gateway migrate` alone, for seconds.
--   gateway_serve     reads and writes rows; used by `gateway serve`, `accounts` and `keys`. It cannot change the schema,
--                     and it cannot change or remove a row of the audit trail.
--
-- Passwords come from the environment variables GATEWAY_MIGRATE_PASSWORD and GATEWAY_SERVE_PASSWORD; a role keeps the
-- one that it has (or none, where the server trusts its socket) when its variable is unset.
--
-- The administrator is a superuser, or one who owns the database and has CREATEROLE and CREATEDB, as on managed servers.
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
        -- Only what is wrong is changed: the administrator of a managed server may not even repeat what is right.
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

-- Not into the server's log, whatever it is set to write there. The administrator of a managed server may not say so:
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

-- The administrator of a managed server is no superuser and must belong to a role to give something to it.
select format('grant gateway_migrate to %I', current_user)
where not (select rolsuper from pg_roles where rolname = current_user)
    and not pg_has_role(current_user, 'gateway_migrate', 'usage') \gexec

select format('alter database %I owner to gateway_migrate', current_database()) \gexec
select format('revoke all on database %I from public', current_database()) \gexec
select format('grant connect on database %I to gateway_serve', current_database()) \gexec
alter schema public owner to gateway_migrate;
revoke all on schema public from public;
grant usage on schema public to gateway_serve;

-- What later migrations make can be read; anything else is granted table by table below, by the run after the migration.
alter default privileges for role gateway_migrate in schema public revoke all on tables from gateway_serve;
alter default privileges for role gateway_migrate in schema public grant select on tables to gateway_serve;
alter default privileges for role gateway_migrate in schema public grant usage on sequences to gateway_serve;
alter default privileges for role gateway_migrate revoke execute on functions from public;
alter default privileges for role gateway_migrate in schema public grant execute on functions to gateway_serve;

-- What exists.
do $$
declare
    -- The server only looks. Events of the audit log are added to its inbox and never changed or removed, whoever has broken
    -- into a server; seal_audit and prune_audit do what else there is to do.
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
        -- The months of the audit log are reached through audit_sealed alone.
        continue when found.is_partition;
        -- Who could choose a row's id and time could write about the past.
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
