-- The people who are known, and one app.
insert into clients (id, name) values ('app', 'Benchmark') on conflict do nothing;

-- These people signed up there. Older revisions have no such column.
do $$ begin
    if exists (select from information_schema.columns where table_name = 'accounts' and column_name = 'client_id') then
        alter table accounts alter column client_id set default 'app';
    end if;
end $$;

with people as (
    select number, lpad(number::text, 32, '0')::uuid as account, lpad(number::text, 32, '0')::uuid as identity
    from generate_series(1, :people) as number
), made as (
    insert into accounts (id, display_name) select account, 'Person ' || number from people on conflict do nothing
), mailboxes as (
    insert into account_emails (account_id, address_key, address, source, proved_at)
    select account, 'pgbench' || number || '@example.com', 'pgbench' || number || '@example.com', 'apple', now() from people
    on conflict do nothing
)
insert into identities (id, account_id, provider, realm, subject, email, email_verified, linked_by)
select identity, account, 'apple', 'TEAM123456', '001999.pgbench.' || number, 'pgbench' || number || '@example.com', true, 'new_account'
from people
on conflict do nothing;
analyze accounts, account_emails, identities;
