-- People who are known by a proved address, and one app.
insert into clients (id, name) values ('app', 'Benchmark') on conflict do nothing;

with people as (
    select number, md5('coded ' || number)::uuid as account, 'coded' || number || '@example.com' as address
    from generate_series(1, :people) as number
), made as (
    insert into accounts (id) select account from people on conflict do nothing
)
insert into account_emails (account_id, address_key, address, source, proved_at)
select account, address, address, 'person', now() from people
on conflict do nothing;
analyze accounts, account_emails;
