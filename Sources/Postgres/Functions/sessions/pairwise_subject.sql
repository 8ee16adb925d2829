-- The subject by which the apps of a sector know an account (OpenID Connect Core section 8.1); made now if they have not met it. Null
-- for an account that is over.
-- Locks: accounts (for key share), pairwise_subjects.
create or replace function pairwise_subject(p_account uuid, p_sector text) returns text language plpgsql as $$
declare
    known text;
begin
    select subject into known from pairwise_subjects where account_id = p_account and sector = p_sector;
    if found then
        return known;
    end if;
    -- The account first: a merge, which moves subjects, waits or is over.
    perform 1 from accounts where id = p_account and status = 'active' for key share;
    if not found then
        return null;
    end if;
    insert into pairwise_subjects (account_id, sector, subject)
    values (p_account, p_sector,
            translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_'))
    on conflict do nothing;
    -- Another transaction may have made it.
    return (select subject from pairwise_subjects where account_id = p_account and sector = p_sector);
end $$;
