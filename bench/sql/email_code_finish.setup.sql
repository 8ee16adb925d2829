-- For each client of this run flows that wait for their code, in the form that the gateway gave to one that it never
-- heard of again; each with an account of its own.
with waiting as (
    select :base + client * 1000000000::bigint + turn as number
    from generate_series(0, 15) as client, generate_series(1, :flows) as turn
), people as (
    select number, md5('coded ' || number)::uuid as account, 'coded' || number || '@example.com' as address from waiting
), made as (
    insert into accounts (id) select account from people
), addresses as (
    insert into account_emails (account_id, address_key, address, source, proved_at)
    select account, address, address, 'person', now() from people
)
insert into flows (id, kind, client_id, account_id, state, sealed, code_digest, resend_after, expires_at)
select lpad(number::text, 32, '0')::uuid, 'sign_in', 'app', account,
       known.state || jsonb_build_object('name', address, 'guess_bucket', md5(number::text)), known.sealed, sha256(int8send(number)),
       now() + interval '30 seconds', now() + interval '10 minutes'
from people, (select state, sealed from flows where kind = 'sign_in' and code_digest is not null order by created_at desc limit 1) as known;
analyze accounts, account_emails, flows;
