-- The place of an attempt, where its account knows it: `device` for a mark of the account or a confirmed device, else the
-- network of an earlier session of the user. The network of an acting operator is no such place. Each place has guess
-- buckets of its own, so that strangers do not lock the user out. Null for a stranger. The plan is kept: otherwise each
-- attempt would plan the query again.
-- Locks: none
create or replace function known_place(p_account uuid, p_mark bytea, p_address text) returns text language plpgsql stable
set plan_cache_mode = force_generic_plan as $$
declare
    network text;
begin
    if p_account is null then
        return null;
    end if;
    if p_mark is not null and is_known_device(p_account, p_mark) then
        return 'device';
    end if;
    network := network_of(p_address);
    if exists (select from sessions s where s.account_id = p_account and s.end_reason is distinct from 'disowned'
                  and s.actor_id is null
                  and (s.address = p_address
                       or p_address like '%:%' and s.address like '%:%' and network_of(s.address) = network))
    then
        return 'network ' || network;
    end if;
    return null;
end $$;
